/** Elements that XML may close in themselves, and HTML may not be closed at all. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** They show nothing without words. */
const EMPTY = /^(?:b|div|em|i|p|span|strong)$/i;
/** Of these the words are read. */
const LINES = /(?:^|:)(?:title|subtitle|rights)$/;
const XHTML_PREFIX = /xmlns:([\w-]+)\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/g;
/**
 * Sections and comments are skipped: what is in them is text. An element that closes in itself has no end to look for,
 * which of many would be looked for in all the rest.
 */
const TEXTS =
  /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<((?:[\w-]+:)?(?:content|summary|title|subtitle|rights))(?=\s(?:[^<>"']|"[^"]*"|'[^']*')*(?<!\/)>)(\s[^>]*?)\btype\s*=\s*["']xhtml["']([^>]*)>([\s\S]*?)<\/\1\s*>/g;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * A feed whose texts in elements, as Atom's `type="xhtml"` has them, are HTML as text: the parser keeps no order of words
 * and elements. The feed is well-formed.
 */
export function withXhtmlAsHtml(xml: string) {
  if (!/["']xhtml["']/.test(xml)) return xml;
  const prefixes = [...xml.matchAll(XHTML_PREFIX)].map(([, prefix]) => prefix!);
  const prefixed = prefixes.length > 0 ? new RegExp(`(</?)(?:${prefixes.join("|")}):`, "g") : null;
  return xml.replace(TEXTS, (whole, name?: string, before = "", after = "", inner = "") => {
    if (name === undefined) return whole;
    const html = inner.replaceAll(
      /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>/g,
      (_part: string, text?: string) => escaped(text ?? ""),
    );
    if (LINES.test(name)) return `<${name}${before}${after}>${html.replaceAll(/<[^>]*>/g, "")}</${name}>`;
    const named = prefixed ? html.replace(prefixed, "$1") : html;
    const open = named.replaceAll(/<([\w-]+)(\s[^<>]*)?\/>/g, (tag: string, element: string, rest = "") =>
      VOID.test(element) ? tag : EMPTY.test(element) ? "" : `<${element}${rest}></${element}>`,
    );
    return `<${name}${before}type="html"${after}>${escaped(open)}</${name}>`;
  });
}
