import { XMLBuilder } from "fast-xml-parser";

/** Parts of RSS feeds: well-formed XML of any text, and absolute addresses. */

/** The property whose value is written as CDATA. */
const CDATA = "#cdata";

const builder = new XMLBuilder({
  ignoreAttributes: false,
  // An attribute that says "true" would lose its value and with it the document its well-formedness.
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  cdataPropName: CDATA,
  tagValueProcessor: (_name, value) => xmlText(value),
  attributeValueProcessor: (_name, value) => xmlText(value),
});

/** XML of an object: `@_name` is an attribute, `#text` an element's text; what is undefined is left out. */
export const buildXml = (document: object): string => builder.build(document);

/** HTML as an element's content. */
export const htmlContent = (html: string) => ({ [CDATA]: xmlText(html) });

/** What XML 1.0 cannot hold, and U+FFFD, which half a surrogate pair becomes, here or in D1. */
const FORBIDDEN = /[^\t\n\r -\ufffc]/g;
/** A pattern that knows pairs takes seven times as long, over texts of 400 kB. */
const xmlText = (value: unknown) => String(value).toWellFormed().replace(FORBIDDEN, "");

/** Leaves out an element without content. */
export const nonEmpty = (text: string) => (text === "" ? undefined : text);

export const rfc2822 = (date: Date) => date.toUTCString().replace("GMT", "+0000");

/** Our renderer puts every attribute in double quotes, and text holds no bare `<`. */
const LINK_ATTRIBUTE = /(<(?:a|img) (?:[\w-]+="[^"]*" )*?(?:href|src)=")([^"]*)"/g;

/** Links and pictures of rendered HTML as full addresses. */
export const absoluteLinks = (html: string, base: string) =>
  html
    .replace(IMAGE, (_match, attributes: string) => `<img${attributes.replace(PAGE_ATTRIBUTES, "")}>`)
    .replace(LINK_ATTRIBUTE, (_match, before: string, url: string) => {
      const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
      return `${before}${isAbsolute ? url : (URL.parse(url, base)?.href ?? url)}"`;
    });

const IMAGE = /<img((?: [\w-]+="[^"]*")*)>/g;
/** A picture's attributes for our own pages, without use in an app. */
const PAGE_ATTRIBUTES = / (?:srcset|sizes|loading|decoding)="[^"]*"/g;
