import { decoded } from "./decoded.ts";

type FindAttachment = (id: string) => { url: string; alt: string } | null;

/** What WordPress makes HTML of when it shows a post: its shortcodes, and the paragraphs of its older editor. */
export function fromClassic(content: string, find: FindAttachment): { html: string; notes: string[] } {
  const isBlocks = content.includes("<!-- wp:");
  const html = withoutShortcodes(content, find);
  const unknown = [...new Set([...html.matchAll(SHORTCODE)].map(([, name]) => name))].slice(0, 5);
  return {
    html: isBlocks ? html : withParagraphs(html),
    notes:
      unknown.length === 0
        ? []
        : [`It has parts that only WordPress shows: ${unknown.map((name) => `[${name}]`).join(", ")}.`],
  };
}

/** One with values, which ordinary brackets do not have. */
const SHORTCODE = /\[([a-z][a-z0-9_-]{2,40})\s+[a-z0-9_-]+=[^\]]{0,500}\]/gi;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const valueOf = (values: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`, "i").exec(values)?.slice(1).find(Boolean) ??
  "";

const withoutShortcodes = (content: string, find: FindAttachment) =>
  content
    .replace(
      /\[(code|sourcecode)([^\]]{0,200})\]([\s\S]*?)\[\/\1\]/gi,
      (_all, _name, values: string, code: string) => {
        const language = valueOf(values, "(?:language|lang)").replace(/[^\w+-]/g, "");
        return `\n\n<pre><code${language ? ` class="language-${language}"` : ""}>${escaped(code.trim())}</code></pre>\n\n`;
      },
    )
    .replace(
      /\[(?:wp_)?caption([^\]]{0,2000})\]([\s\S]*?)\[\/(?:wp_)?caption\]/gi,
      (_all, values: string, inner: string) => {
        const [, picture = "", text = ""] =
          /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(inner) ?? [];
        if (picture === "") return inner;
        return `\n\n<figure>${picture}<figcaption>${text.trim() || escaped(valueOf(values, "caption"))}</figcaption></figure>\n\n`;
      },
    )
    .replace(/\[gallery([^\]]{0,5000})\]/gi, (_all, values: string) => {
      const pictures = valueOf(values, "ids")
        .split(",")
        .flatMap((id) => find(id.trim()) ?? []);
      return `\n\n${pictures.map(({ url, alt }) => `<figure><img src="${escaped(url)}" alt="${escaped(alt)}"></figure>`).join("")}\n\n`;
    })
    .replace(/\[embed[^\]]{0,200}\]\s*(https?:[^\s[\]]+)\s*\[\/embed\]/gi, "\n\n$1\n\n")
    .replace(/\[(?:youtube|vimeo)[\s=]+"?(https?:[^\s\]"]+)"?[^\]]{0,200}\]/gi, "\n\n$1\n\n")
    .replace(/\[(audio|video)(\s[^\]]{0,2000})\](?:\s*\[\/\1\])?/gi, (all, _name, values: string) => {
      const source = /https?:[^\s"'\]]+/.exec(values)?.[0];
      return source
        ? `\n\n<p><a href="${escaped(source)}">${escaped(decoded(source.split("/").at(-1) ?? source))}</a></p>\n\n`
        : all;
    });

const BLOCKS =
  "table|thead|tfoot|caption|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|blockquote|address|p|h[1-6]|hr|section|article|figure|figcaption|iframe|object|video|audio";
const opensBlock = new RegExp(`(<(?:${BLOCKS})[\\s/>])`, "gi");
const closesBlock = new RegExp(`(</(?:${BLOCKS})>|<hr\\b[^>]*>)`, "gi");
const isBlock = new RegExp(`^</?(?:${BLOCKS})[\\s/>]`, "i");
/** Stands for what is left as it is. */
const KEPT = "\u0001";

const endsLine = new RegExp(`^</?(?:br|${BLOCKS})[\\s/>]`, "i");

/** Empty lines part paragraphs, and the end of a line is one, as WordPress shows them. */
function withParagraphs(content: string) {
  const kept: string[] = [];
  const text = content
    .replace(/\r\n?/g, "\n")
    .replaceAll(KEPT, "")
    .replace(
      /<(pre|script|style|textarea)\b[\s\S]*?<\/\1\s*>/gi,
      (part) => `\n\n${KEPT}${kept.push(part) - 1}${KEPT}\n\n`,
    )
    .replace(opensBlock, "\n\n$1")
    .replace(closesBlock, "$1\n\n");
  const parts = text.split(/\n\s*\n/).map((part) => part.trim());
  return parts
    .filter(Boolean)
    .map((part) =>
      part.startsWith(KEPT)
        ? kept[Number(part.slice(1, -1))]!
        : isBlock.test(part)
          ? withBreaks(part)
          : `<p>${withBreaks(part)}</p>`,
    )
    .join("\n");
}

/** The end of a line is one, except within a tag and beside what begins a line anyway. */
function withBreaks(part: string) {
  const pieces = part.split(/(<[^<>]*>)/);
  return pieces
    .map((piece, at) => {
      // Every other one is a tag.
      if (at % 2 === 1) return piece;
      const begins = endsLine.test(pieces[at - 1] ?? "") ? piece.trimStart() : piece;
      const text = endsLine.test(pieces[at + 1] ?? "") ? begins.trimEnd() : begins;
      return text.replaceAll("\n", "<br>\n");
    })
    .join("");
}
