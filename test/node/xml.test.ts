import { XMLBuilder } from "fast-xml-parser";
import { expect, it } from "vitest";
import { buildXml } from "#worker/platform/http/xml.ts";

const builder = new XMLBuilder({
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  cdataPropName: "#cdata",
});

const texts = ["", "a", "0", " a\n\tb ", "&<>'\"", "&amp;", "]]>", "a]]>b]]>", "ünï — 日本 🎙️", "true"];

const documents: object[] = [
  { "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" }, rss: { "@_version": "2.0", channel: {} } },
  { a: { b: [1, 0, -1.5, true, false], c: undefined, d: [], e: [{}, undefined, "x"] } },
  { a: { "@_x": undefined, "@_y": 5, "@_z": "true", "#text": undefined } },
  { a: [{ "@_x": "1", "#text": "" }, { "@_x": "2" }, { b: { c: { "@_d": "e" } } }] },
  ...texts.flatMap((text) => [
    { a: text },
    { a: { "@_b": text, "#text": text } },
    { a: { "@_b": text } },
    { a: { "#cdata": text } },
    { a: [text, { "#text": text }, { b: text, "@_c": text }] },
  ]),
];

it.each(documents)("XML is what fast-xml-parser writes: %j", (document) => {
  expect(buildXml(document)).toBe(builder.build(document));
});

it("characters that XML 1.0 forbids are removed", () => {
  const forbidden = "\u0000\u0008\u000b\u001f\ufffe\uffff\ud800";
  const text = `${forbidden}a${forbidden}🎙${forbidden}`;
  const written = '<a b="a🎙">a🎙</a>';
  expect(buildXml({ a: { "@_b": text, "#text": text } })).toBe(written);
  expect(buildXml({ a: { "#cdata": text } })).toBe("<a><![CDATA[a🎙]]></a>");
});
