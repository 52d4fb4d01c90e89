import { decoded } from "./addresses.ts";
import { replaceEnclosed } from "./enclosed.ts";
import { listed } from "./losses.ts";
import { withParagraphs } from "./paragraphs.ts";
import { drawnBlocks, withPatterns } from "./patterns.ts";
import { shortcodesIn } from "./shortcode-names.ts";

type Picture = { url: string; alt: string };

/** What an export has besides its posts, and they show. */
export type Library = {
  picture: (id: string) => Picture | null;
  /** Those that were uploaded for a post. */
  picturesOf: (post: string) => Picture[];
  /** The content of a pattern, which posts share. */
  pattern: (id: string) => string | null;
  /** All of the export was read. */
  isComplete: boolean;
};

/**
 * What WordPress makes HTML of when it shows a post: its patterns and shortcodes, and the paragraphs of its older editor.
 * @param post Its number.
 */
export function fromClassic(content: string, post: string, library: Library) {
  const whole = withEscaped(withPatterns(content, library)).replaceAll(
    /<!--\s*(?:more|nextpage)\b[^>]{0,200}-->/g,
    "\n\n",
  );
  const missing = new Set<string>();
  const html = withoutShortcodes(withGalleries(whole, post, library, missing));
  const shown = replaceEnclosed(
    html,
    /<(pre|code)\b/gi,
    (name) => new RegExp(`</${name}>`, "gi"),
    () => "",
  ).replaceAll(/\[\[[^[\]]{1,500}\]\]/g, " ");
  const drawn = drawnBlocks(whole);
  if (drawn.includes("block")) missing.add("A pattern is left out: it isn’t in the export.");
  const unknown = [...new Set([...shortcodesIn(shown), ...drawn.filter((name) => name !== "block")])];
  return {
    html: content.includes("<!-- wp:") ? html : withParagraphs(html),
    notes: [
      ...(unknown.length === 0 ? [] : [`It has parts that only WordPress can show: ${listed(unknown)}.`]),
      ...(library.isComplete ? missing : []),
    ],
    /** Missing items may follow later in the export. */
    isPending: !library.isComplete && missing.size > 0,
  };
}

/** WordPress shows [[gallery]] as the words [gallery]. */
const withEscaped = (content: string) =>
  content.replaceAll(
    /\[(\[\/?(?:gallery|caption|wp_caption|audio|video|embed|playlist)\b[^[\]]{0,500}\])\]/gi,
    (_all, inner: string) => inner.replaceAll("[", "&#91;").replaceAll("]", "&#93;"),
  );

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const valueOf = (values: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`, "i").exec(values)?.slice(1).find(Boolean) ??
  "";

/** Pictures of a gallery: those that it names, or those of its post. */
const withGalleries = (content: string, post: string, library: Library, missing: Set<string>) =>
  content.replace(/\[gallery(\s[^[\]]{0,5000})?\]/gi, (_all, values = "") => {
    const ids = (valueOf(values, "ids") || valueOf(values, "include")).split(",").filter(Boolean);
    const pictures =
      ids.length > 0
        ? ids.flatMap((id) => library.picture(id.trim()) ?? [])
        : library.picturesOf(valueOf(values, "id") || post);
    if (pictures.length < Math.max(1, ids.length))
      missing.add("Gallery pictures are left out: they aren’t in the export.");
    return `\n\n${pictures.map(({ url, alt }) => `<figure><img src="${escaped(url)}" alt="${escaped(alt)}"></figure>`).join("")}\n\n`;
  });

const withoutShortcodes = (content: string) =>
  withoutCaptions(withoutCode(content))
    .replace(/\[embed[^\]]{0,200}\]\s*(https?:[^\s[\]]+)\s*\[\/embed\]/gi, "\n\n$1\n\n")
    .replace(/\[(?:youtube|vimeo)[\s=]+"?(https?:[^\s\]"]+)"?[^\]]{0,200}\]/gi, "\n\n$1\n\n")
    .replace(/\[(audio|video)(\s[^\]]{0,2000})\](?:\s*\[\/\1\])?/gi, (all, _name, values: string) => {
      const source = /https?:[^\s"'\]]+/.exec(values)?.[0];
      return source
        ? `\n\n<p><a href="${escaped(source)}">${escaped(decoded(source.split("/").at(-1) ?? source))}</a></p>\n\n`
        : all;
    });

const withoutCode = (content: string) =>
  replaceEnclosed(
    content,
    /\[(code|sourcecode)([^\]]{0,200})\]/gi,
    (name) => new RegExp(`\\[/${name}\\]`, "gi"),
    ([, , values = ""], code) => {
      const language = valueOf(values, "(?:language|lang)").replace(/[^\w+-]/g, "");
      return `\n\n<pre><code${language ? ` class="language-${language}"` : ""}>${escaped(code.trim())}</code></pre>\n\n`;
    },
  );

const withoutCaptions = (content: string) =>
  replaceEnclosed(
    content,
    /\[(?:wp_)?(caption)([^\]]{0,2000})\]/gi,
    () => /\[\/(?:wp_)?caption\]/gi,
    ([, , values = ""], inner) => {
      const [, picture = "", text = ""] =
        /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(inner) ?? [];
      if (picture === "") return inner;
      return `\n\n<figure>${picture}<figcaption>${text.trim() || escaped(valueOf(values, "caption"))}</figcaption></figure>\n\n`;
    },
  );
