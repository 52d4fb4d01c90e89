import { parseDocument } from "yaml";
import { BatchArticle } from "#worker/imports/contract.ts";
import { inWords } from "#worker/platform/contract.ts";
import { encodingOf, NotText } from "../../imports/file-text.ts";
import { slugFrom } from "../../imports/slug.ts";
import { beginningOf, readFields, Unreadable } from "./fields.ts";
import { foreignPictures, hasHtml, isHtml } from "./html.ts";
import type { BatchItem } from "./items.ts";

/** Of one batch. */
export const MOST_ITEMS = 10_000;
/** Bytes. */
const MOST_MARKDOWN = 4_000_000;
const MOST_JSON = 100_000_000;

type Options = {
  /** Of times that name none. */
  timeZone: string;
  signal: AbortSignal;
  onProgress: (done: number) => void;
  /** HTML to Markdown. */
  toMarkdown: (html: string) => string | Promise<string>;
};

/**
 * The articles of Markdown files with front matter, and of JSON: a list, or an object with the list in it. One that cannot
 * be read says why.
 * @throws {Unreadable} for too many
 */
export async function readBatch(files: File[], options: Options): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (const [index, file] of files.entries()) {
    options.signal.throwIfAborted();
    for (const read of await readFile(file, options)) {
      if (items.length === MOST_ITEMS) {
        throw new Unreadable("That’s more than 10,000 articles. Choose fewer files at a time.");
      }
      items.push({ key: items.length, ...read });
    }
    options.onProgress(index + 1);
  }
  return withoutSharedSlugs(refusingDoubles(items));
}

/** The end of a dated name that several files have is no slug: their titles tell them apart. */
function withoutSharedSlugs(items: BatchItem[]): BatchItem[] {
  const all = Map.groupBy(items, ({ article }) => article?.slug);
  return items.map((item) => {
    const { article, file } = item;
    if (!article?.slug || all.get(article.slug)!.length === 1 || article.slug !== nameOf(file)?.slug)
      return item;
    const { slug: _shared, ...rest } = article;
    return { ...item, article: rest };
  });
}

type ReadItem = Omit<BatchItem, "key">;

async function readFile(file: File, options: Options): Promise<ReadItem[]> {
  try {
    const isJson = /\.json$/i.test(file.name);
    if (!isJson && !/\.(?:md|markdown|mdx|txt)$/i.test(file.name)) {
      throw new Unreadable("This isn’t a Markdown or JSON file.");
    }
    if (file.size > (isJson ? MOST_JSON : MOST_MARKDOWN)) {
      throw new Unreadable(`The file is larger than ${isJson ? 100 : 4} MB.`);
    }
    const text = new TextDecoder(await encodingOf(file)).decode(await file.arrayBuffer());
    return isJson
      ? await readJson(file.name, text, options)
      : [await readItem(file.name, () => readMarkdown(text), options)];
  } catch (error) {
    return [unread(file.name, error)];
  }
}

function unread(file: string, error: unknown, title = ""): ReadItem {
  const isKnown = error instanceof Unreadable || error instanceof NotText;
  if (!isKnown) console.error(error);
  const problem = error instanceof Unreadable ? error.message : "This file isn’t readable text.";
  return { file, title, article: null, problem, notes: [] };
}

async function readJson(file: string, text: string, options: Options) {
  const found = listIn(parseJson(text));
  const items: ReadItem[] = [];
  for (const [index, raw] of found.entries()) {
    const name = found.length === 1 ? file : `${file}, ${index + 1}`;
    items.push(await readItem(name, () => objectOf(raw, "This item isn’t an object with fields."), options));
  }
  return items;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`This isn’t valid JSON: ${(error as Error).message}`);
  }
}

function listIn(parsed: unknown): unknown[] {
  if (Array.isArray(parsed)) return parsed;
  const { articles, posts, items } = objectOf(parsed, "This file has no articles.");
  const list = [articles, posts, items].find(Array.isArray);
  return list ?? [parsed];
}

function objectOf(value: unknown, problem: string) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unreadable(problem);
  return value as Record<string, unknown>;
}

async function readItem(
  file: string,
  read: () => Record<string, unknown>,
  options: Options,
): Promise<ReadItem> {
  let title = "";
  try {
    const { article, leftOut } = readFields(read(), options.timeZone);
    title = (article.title ?? "").trim();
    if (title === "") throw new Unreadable("The title is missing.");
    const { content, notes } = await readContent(article.content, options);
    if (leftOut.length > 0) notes.unshift(`Left out: ${leftOut.join(", ")}.`);
    const draftKey = crypto.randomUUID();
    const whole: BatchArticle = { ...article, ...fromName(file, article, options), title, draftKey };
    const made = content === undefined ? whole : { ...whole, content };
    requireAllowed(made);
    return { file, title, article: made, problem: null, notes };
  } catch (error) {
    return unread(file, error, title);
  }
}

/** A request is refused as a whole where one of its articles is far too long. */
function requireAllowed(article: BatchArticle) {
  const { error } = BatchArticle.safeParse(article, { error: inWords });
  if (error) throw new Unreadable(error.issues[0]!.message);
}

const DATED_NAME = /^(\d{4}-\d\d-\d\d)-(.+)\.(?:md|markdown)$/i;

/** The parts of 2014-05-06-my-essay.md, as Jekyll names its posts. */
function nameOf(file: string) {
  const [, day, name] = DATED_NAME.exec(file) ?? [];
  return day === undefined || name === undefined ? null : { day, slug: slugFrom(name) };
}

/** The date and the slug that a file's name gives, where the front matter gives none. A coming day says nothing. */
function fromName(
  file: string,
  { publishedAt, scheduledFor, slug }: Partial<BatchArticle>,
  { timeZone }: Options,
): Partial<BatchArticle> {
  const name = nameOf(file);
  if (!name) return {};
  const at = publishedAt || scheduledFor ? undefined : beginningOf(name.day, timeZone);
  return {
    ...(at !== undefined && at > 0 && at <= Date.now() && { publishedAt: at }),
    ...(!slug && name.slug && { slug: name.slug }),
  };
}

async function readContent(content: string | undefined, { toMarkdown }: Options) {
  const notes: string[] = [];
  if (content === undefined) return { content, notes };
  if (isHtml(content)) {
    notes.push("The HTML text is converted to Markdown.");
    const converted = (await toMarkdown(content)).trim();
    return { content: converted, notes: [...notes, ...pictureNotes(converted)] };
  }
  if (hasHtml(content)) notes.push("HTML inside the text isn’t shown.");
  return { content: content.trim(), notes: [...notes, ...pictureNotes(content)] };
}

function pictureNotes(content: string) {
  const count = foreignPictures(content);
  if (count === 0) return [];
  return count === 1
    ? ["A picture isn’t imported, and becomes a link."]
    : [`${count.toLocaleString("en")} pictures aren’t imported, and become links.`];
}

const FRONT_MATTER = /^---[ \t]*\r?\n(.*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)(.*)$/s;
const HEADING = /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\r?\n|$)/;

/** The front matter and the text. Without a title in it, a heading above the text is the title. */
function readMarkdown(file: string): Record<string, unknown> {
  const [, head = "", body = file] = FRONT_MATTER.exec(file) ?? [];
  const said = readYaml(head);
  const content = body.replaceAll("\r\n", "\n");
  const [line, heading] = HEADING.exec(content) ?? [];
  if (said["title"] === undefined && line !== undefined)
    return { ...said, title: heading, content: content.slice(line.length) };
  return { ...said, content };
}

function readYaml(head: string) {
  const document = parseDocument(head, { prettyErrors: true });
  const [error] = document.errors;
  // Its first line says what and where; the others show the place.
  if (error)
    throw new Unreadable(
      `The front matter isn’t valid YAML: ${error.message.split("\n")[0]?.replace(/:$/, ".")}`,
    );
  const parsed: unknown = toJs(document);
  return parsed === null ? {} : objectOf(parsed, "The front matter has no fields.");
}

function toJs(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Of aliases that grow without end.
    if (error instanceof ReferenceError)
      throw new Unreadable("The front matter has too many repeated aliases.");
    throw error;
  }
}

/** Which of two would win is nobody's to guess. */
function refusingDoubles(items: BatchItem[]) {
  const counts = new Map<string, number>();
  for (const { title, article } of items) if (article) counts.set(title, (counts.get(title) ?? 0) + 1);
  return items.map((item): BatchItem => {
    const count = item.article ? (counts.get(item.title) ?? 0) : 0;
    return count < 2
      ? item
      : { ...item, article: null, problem: `${count} items in the batch have this title.` };
  });
}
