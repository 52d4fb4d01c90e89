import { SaxesParser } from "saxes";
import { BadFile } from "../zip.ts";
import { accessFields } from "./wordpress-access.ts";
import { References } from "#worker/imports/references.ts";
import { readInParts, type FileFaults } from "./xml-entries.ts";

/** An item of a WordPress export, its elements by name. */
export type WxrItem = {
  fields: Map<string, string>;
  categories: { domain: string; name: string }[];
  meta: Map<string, string>;
  comments: number;
};

export type Wxr = FileFaults & {
  /** The channel's own elements: its link, its base addresses. */
  channel: Map<string, string>;
  /** By login, how authors are called. */
  authors: Map<string, string>;
};

/** Characters of one element: the longest text of a post is far shorter. */
const LONGEST = 20_000_000;

/**
 * Reads a WordPress export of any length in parts. Entities are not expanded; characters that XML forbids, which posts
 * often contain, are accepted.
 * @throws {BadFile}
 */
export async function* itemsOf(
  file: Blob,
  into: Wxr,
  onProgress: (part: number) => void,
): AsyncGenerator<WxrItem> {
  yield* readInParts(file, { reader: new WxrReader(into), into, onProgress });
}

const NOT_WORDPRESS = "This XML isn’t a WordPress export, nor a feed. Choose the file from Tools ▸ Export.";

class WxrReader {
  readonly #parser = new SaxesParser();
  readonly #into: Wxr;
  readonly #references = new References();
  readonly #path: string[] = [];
  #items: WxrItem[] = [];
  #item: WxrItem | null = null;
  #text = "";
  #category: { domain: string } | null = null;
  /** Of a meta field or an author, until its element ends. */
  #pair = new Map<string, string>();

  constructor(into: Wxr) {
    this.#into = into;
    this.#parser.on("error", () => {});
    this.#parser.on("doctype", () => {
      throw new BadFile(
        "This XML defines its own entities, which a WordPress export never does. It wasn’t read.",
      );
    });
    this.#parser.on("opentag", ({ name, attributes }) =>
      this.#open(name, attributes as Record<string, string>),
    );
    this.#parser.on("text", (text) => this.#add(text));
    this.#parser.on("cdata", (text) => this.#add(text));
    this.#parser.on("closetag", ({ name }) => this.#close(name));
  }

  write(text: string) {
    this.#parser.write(this.#references.mend(text));
  }

  *taken() {
    const items = this.#items;
    this.#items = [];
    yield* items;
  }

  close() {
    this.#parser.write(this.#references.mend("", true));
    this.#into.isCutOff ||= this.#path.length > 0;
    if (this.#into.channel.size === 0) throw new BadFile(NOT_WORDPRESS);
  }

  #open(name: string, attributes: Record<string, string>) {
    this.#path.push(name);
    this.#text = "";
    if (this.#path.length === 1 && name !== "rss") throw new BadFile(NOT_WORDPRESS);
    if (name === "item") this.#item = { fields: new Map(), categories: [], meta: new Map(), comments: 0 };
    if (name === "wp:postmeta" || name === "wp:author") this.#pair = new Map();
    this.#category = name === "category" ? { domain: attributes["domain"] ?? "" } : null;
  }

  #add(text: string) {
    if (this.#text.length + text.length <= LONGEST) this.#text += text;
  }

  #close(name: string) {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? "";
    const text = this.#text;
    this.#text = "";
    if (parent === "wp:postmeta" || parent === "wp:author") this.#pair.set(name, text);
    else if (name === "wp:author") this.#keepAuthor();
    else if (!this.#item) this.#keepChannel(parent, name, text);
    else this.#keepInItem(this.#item, parent, name, text);
  }

  #keepAuthor() {
    const login = this.#pair.get("wp:author_login") ?? "";
    this.#into.authors.set(login, this.#pair.get("wp:author_display_name") || login);
  }

  #keepChannel(parent: string, name: string, text: string) {
    if (parent === "channel" && !this.#into.channel.has(name)) this.#into.channel.set(name, text.trim());
  }

  #keepInItem(item: WxrItem, parent: string, name: string, text: string) {
    if (name === "item") {
      this.#items.push(item);
      this.#item = null;
    } else if (name === "wp:postmeta") {
      const key = this.#pair.get("wp:meta_key");
      if (key && isWanted(key)) item.meta.set(key, this.#pair.get("wp:meta_value") ?? "");
    } else if (name === "wp:comment") item.comments++;
    else if (parent !== "item") return;
    else if (name === "category")
      item.categories.push({ domain: this.#category?.domain ?? "", name: text.trim() });
    else item.fields.set(name, text);
  }
}

const WANTED_META = new Set([
  "_thumbnail_id",
  "_wp_attachment_image_alt",
  "footnotes",
  "_yoast_wpseo_title",
  "_yoast_wpseo_metadesc",
  "_yoast_wpseo_canonical",
  "rank_math_description",
  "audio_file",
  "enclosure",
  "_podPressMedia",
  "_elementor_data",
  ...accessFields,
]);

/** PowerPress has a field for each of its podcasts: `news:enclosure`. */
const isWanted = (key: string) => WANTED_META.has(key) || key.endsWith(":enclosure");
