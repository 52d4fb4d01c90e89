import { SaxesParser } from "saxes";
import { References } from "#worker/imports/references.ts";
import { encodingOf, textOf, zeroRemarks } from "../file-text.ts";
import { BadFile } from "../zip.ts";

/** An element with what is in it, in its order. */
export type XmlNode = { name: string; attributes: Record<string, string>; content: (string | XmlNode)[] };

/** Faults of the whole file, not of one entry. */
export type FileFaults = {
  /** It ended before its last element did. */
  isCutOff: boolean;
  /** Zero characters that were removed. */
  zeros: number;
};

export const withoutFaults = (): FileFaults => ({ isCutOff: false, zeros: 0 });

/** For the plan. */
export const faultRemarks = ({ isCutOff, zeros }: FileFaults) => [
  ...(isCutOff ? ["The file is cut off. Everything after that point is missing."] : []),
  ...zeroRemarks(zeros),
];

export type XmlFile = FileFaults & {
  /** Elements outside the entries, such as the title of a feed. */
  about: XmlNode[];
};

/** Characters of one entry. */
const LONGEST = 20_000_000;
/** Characters between two pauses in which the page can answer presses: about 20 ms. */
const AT_ONCE = 500_000;

/**
 * The entries of a feed of any length, `item` or `entry`, in parts. Only XML's own references are expanded; characters
 * that XML forbids are accepted.
 * @throws {BadFile}
 */
export async function* entriesOf(
  file: Blob,
  into: XmlFile,
  onProgress: (part: number) => void,
): AsyncGenerator<XmlNode> {
  yield* readInParts(file, { reader: new EntryReader(into), into, onProgress });
}

type PartReader<Entry> = {
  write: (text: string) => void;
  /** The entries that have been read whole since the last call. */
  taken: () => Iterable<Entry>;
  close: () => void;
};

type Reading<Entry> = {
  reader: PartReader<Entry>;
  into: FileFaults;
  onProgress: (part: number) => void;
};

/** Gives a reader the text of a file part by part, with pauses between them. */
export async function* readInParts<Entry>(file: Blob, { reader, into, onProgress }: Reading<Entry>) {
  for await (const { text, zeros, bytes } of textOf(file, await encodingOf(file))) {
    into.zeros += zeros;
    for (let at = 0; at < text.length; at += AT_ONCE) {
      reader.write(text.slice(at, at + AT_ONCE));
      yield* reader.taken();
      await new Promise<void>((resolve) => setTimeout(resolve));
    }
    onProgress(file.size === 0 ? 1 : bytes / file.size);
  }
  reader.close();
  yield* reader.taken();
}

class EntryReader {
  readonly #parser = new SaxesParser();
  readonly #references = new References();
  readonly #into: XmlFile;
  /** Elements that are open; those outside of entries hold nothing but what is about the whole. */
  readonly #path: XmlNode[] = [];
  #entries: XmlNode[] = [];
  #length = 0;

  constructor(into: XmlFile) {
    this.#into = into;
    this.#parser.on("error", () => {});
    this.#parser.on("doctype", () => {
      throw new BadFile("This XML defines its own entities, which a feed never does. It wasn’t read.");
    });
    this.#parser.on("opentag", ({ name, attributes }) =>
      this.#open({ name, attributes: attributes as Record<string, string>, content: [] }),
    );
    this.#parser.on("text", (text) => this.#add(text));
    this.#parser.on("cdata", (text) => this.#add(text));
    this.#parser.on("closetag", () => this.#close());
  }

  write(text: string) {
    this.#parser.write(this.#references.mend(text));
  }

  close() {
    this.#parser.write(this.#references.mend("", true));
    this.#into.isCutOff ||= this.#path.length > 0;
  }

  *taken() {
    const entries = this.#entries;
    this.#entries = [];
    yield* entries;
  }

  #open(node: XmlNode) {
    if (isEntry(node) || CONTAINERS.test(this.#path.at(-1)?.name ?? "")) this.#length = 0;
    this.#path.push(node);
  }

  #add(text: string) {
    const node = this.#path.at(-1);
    // What is between the entries would keep all of the file in memory.
    if (!node || CONTAINERS.test(node.name)) return;
    this.#length += text.length;
    if (this.#length <= LONGEST) node.content.push(text);
  }

  #close() {
    const node = this.#path.pop();
    if (!node) return;
    const parent = this.#path.at(-1);
    if (isEntry(node)) this.#entries.push(node);
    else if (this.#path.some(isEntry)) parent!.content.push(node);
    else if (parent && CONTAINERS.test(parent.name) && !CONTAINERS.test(node.name))
      this.#into.about.push(node);
  }
}

const CONTAINERS = /^(?:rss|feed|channel|(?:\w+:)?RDF)$/;
const isEntry = ({ name }: XmlNode) => name === "item" || name === "entry";

const isNode = (each: string | XmlNode): each is XmlNode => typeof each !== "string";

/** The elements of one of these names, in the order of the names. */
export const childrenNamed = ({ content }: Pick<XmlNode, "content">, ...names: string[]) =>
  names.flatMap((name) => content.filter(isNode).filter((node) => node.name === name));

/** The text of the first element with one of these names; empty if there is none. */
export const textNamed = (node: Pick<XmlNode, "content">, ...names: string[]) =>
  childrenNamed(node, ...names)
    .map((child) => wordsIn(child).trim())
    .find(Boolean) ?? "";

export const wordsIn = ({ content }: XmlNode): string =>
  content.map((each) => (isNode(each) ? wordsIn(each) : each)).join("");

/** XHTML within XML as HTML. */
export const htmlIn = ({ content }: XmlNode): string =>
  content
    .map((each) => {
      if (!isNode(each)) return escaped(each);
      const name = each.name.replace(/^[\w-]+:/, "");
      const attributes = Object.entries(each.attributes)
        .filter(([key]) => !key.startsWith("xmlns"))
        .map(([key, value]) => ` ${key}="${escaped(value)}"`);
      return VOID.has(name)
        ? `<${name}${attributes.join("")}>`
        : `<${name}${attributes.join("")}>${htmlIn(each)}</${name}>`;
    })
    .join("");

const VOID = new Set(["area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"]);

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
