import { BatchArticle } from "#worker/imports/contract.ts";
import { inWords } from "#worker/platform/contract.ts";
import { encodingNames, NotText, wholeTextOf, zeroRemarks } from "../file-text.ts";
import { slugFrom } from "../slug.ts";
import { kindOf, packedKindOf } from "../file-kinds.ts";
import { BadFile, openZip } from "../zip.ts";
import { beginningOf, readFields, type Around } from "./fields.ts";
import { readMarkdown } from "./front-matter.ts";
import { hasNoteLinks, withoutGenerators } from "./generators.ts";
import { foreignPictures, hasHtml, isHtml } from "./html.ts";
import { type BatchItem, Unreadable } from "./items.ts";
import { switchOf } from "./state.ts";

/** Articles of one batch. */
export const MOST_ITEMS = 10_000;
/** In bytes. */
const MOST_MARKDOWN = 4_000_000;
const MOST_JSON = 100_000_000;

type Options = {
  /** The zone of times that name none. */
  timeZone: string;
  signal: AbortSignal;
  onProgress: (done: number) => void;
  /** Converts HTML to Markdown. */
  toMarkdown: (html: string) => string | Promise<string>;
  /** Whether the files are Obsidian notes, of which only those marked as published are public. */
  isObsidian?: boolean;
};

/**
 * The articles of Markdown files with front matter, of zips of them, and of JSON: a list, or an object that contains
 * the list. An unreadable one has the reason.
 * @throws {Unreadable} for too many
 */
export async function readBatch(files: File[], options: Options): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (const [index, file] of files.entries()) {
    options.signal.throwIfAborted();
    for await (const read of isZip(file) ? readZip(file, options) : readFile(file, options)) {
      if (items.length === MOST_ITEMS) {
        throw new Unreadable("That’s more than 10,000 articles. Choose fewer files at a time.");
      }
      items.push({ key: items.length, ...read });
    }
    options.onProgress(index + 1);
  }
  return withoutSharedSlugs(refusingDoubles(items));
}

/** A slug derived from a dated file name is dropped if several files have it: their titles distinguish them. */
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

/** With its folders, if the browser provides them. */
const pathOf = (file: File) => (file.webkitRelativePath || file.name).replaceAll("\\", "/");
const isZip = ({ name }: File) => /\.zip$/i.test(name);
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;

const notMarkdown = (kind: string) => `This isn’t a Markdown or JSON file: it’s ${kind}.`;

async function* readFile(file: File, options: Options): AsyncGenerator<ReadItem> {
  const path = pathOf(file);
  try {
    const isJson = /\.json$/i.test(file.name);
    if (!isJson && !MARKDOWN.test(file.name) && !/\.txt$/i.test(file.name)) {
      throw new Unreadable("This isn’t a Markdown or JSON file.");
    }
    const kind = await kindOf(file);
    if (kind !== null) throw new Unreadable(notMarkdown(kind));
    if (file.size === 0) throw new Unreadable("The file is empty.");
    if (file.size > (isJson ? MOST_JSON : MOST_MARKDOWN)) {
      throw new Unreadable(`The file is larger than ${isJson ? 100 : 4} MB.`);
    }
    const { encoding, text, zeros } = await wholeTextOf(file);
    const items = isJson
      ? await readJson(path, text, options)
      : [await readItem(path, () => readMarkdown(text), options)];
    const notes = [
      ...(encoding === "utf-8" ? [] : [`Read as ${encodingNames[encoding]}.`]),
      ...zeroRemarks(zeros),
    ];
    yield* items.map((item) => ({ ...item, notes: [...notes, ...item.notes] }));
  } catch (error) {
    yield unread(path, error);
  }
}

/** The Markdown files of a zip, such as a site's repository; other programs' files are skipped. */
async function* readZip(file: File, options: Options): AsyncGenerator<ReadItem> {
  const around = pathOf(file);
  try {
    const zip = await openZip(file);
    try {
      const kind = packedKindOf(zip.names);
      if (kind !== null) throw new Unreadable(notMarkdown(kind));
      const names = zip.names.filter((name) => MARKDOWN.test(name) && !NOT_CONTENT.test(name));
      if (names.length === 0)
        throw new Unreadable(
          "This zip has no Markdown files. To import an export of another program, use Import articles.",
        );
      const isObsidian = zip.names.some((name) => /(?:^|\/)\.obsidian\//.test(name));
      for (const name of names) {
        options.signal.throwIfAborted();
        try {
          const content = await zip.unpack(name, MOST_MARKDOWN);
          yield* readFile(new File([content], name), { ...options, isObsidian });
        } catch (error) {
          yield unread(name, error);
        }
      }
    } finally {
      await zip.close();
    }
  } catch (error) {
    if (options.signal.aborted) throw error;
    yield unread(around, error);
  }
}

/** Files of a site's repository that are not articles: programs, themes, and documentation. */
const NOT_CONTENT =
  /(?:^|\/)(?:\.[^/]*|node_modules|themes|archetypes|layouts|_includes|_layouts|__MACOSX)\/|(?:^|\/)(?:\._[^/]*|readme|license|changelog|contributing|_index)(?:\.[\w-]+)?\.\w+$/i;

function unread(file: string, error: unknown, title = ""): ReadItem {
  const isKnown = [Unreadable, BadFile, NotText].some((kind) => error instanceof kind);
  if (!isKnown) console.error(error);
  const problem =
    error instanceof Unreadable || error instanceof BadFile
      ? error.message
      : "This file isn’t readable text.";
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
    const raw = read();
    const around = aroundOf(file, raw, options);
    const { article, leftOut, notes: said, state } = readFields(raw, around);
    title = (article.title ?? (around.isTitled ? titleOf(file) : "")).trim();
    if (title === "") throw new Unreadable("The title is missing.");
    const { content, notes } = await readContent(article.content, file, {
      ...options,
      isNote: around.isSelected,
    });
    const dated = { ...article, ...fromName(file, article, options) };
    const { notes: why, ...became } = state.state(dated, { now: Date.now(), isSelected: around.isSelected });
    const { notes: lost, ...whole } = withoutLateDate({
      ...dated,
      ...became,
      title,
      draftKey: crypto.randomUUID(),
    });
    const made: BatchArticle = content === undefined ? whole : { ...whole, content };
    requireAllowed(made);
    const leaving = leftOut.length > 0 ? [`Left out: ${leftOut.join(", ")}.`] : [];
    return {
      file,
      title,
      article: made,
      problem: null,
      notes: [...why, ...lost, ...leaving, ...said, ...notes],
    };
  } catch (error) {
    return unread(file, error, title);
  }
}

/** Which program wrote a file, if it can be recognised. */
function aroundOf(
  file: string,
  raw: Record<string, unknown>,
  options: Options,
): Around & { isTitled: boolean } {
  // Jekyll recognises posts by their dated names.
  const isJekyll = isOfJekyll(file) || ["post", "page"].includes(String(raw["layout"]));
  const isGenerated = isJekyll || "draft" in raw;
  const isNote =
    options.isObsidian ||
    ["publish", "dg-publish"].some((key) => key in raw && switchOf(raw[key]) !== undefined) ||
    (!isGenerated && hasNoteLinks(String(raw["content"] ?? "")));
  return {
    timeZone: options.timeZone,
    path: file,
    lists: isJekyll ? "spaces" : isNote ? "either" : "commas",
    isSelected: isNote,
    isTitled: isNote || isJekyll,
  };
}

/** The title from the file name, for Obsidian notes and for Jekyll posts without a title. */
function titleOf(file: string) {
  const name = file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
  const [, words] = /^\d{4}-\d\d?-\d\d?-(.+)$/.exec(name) ?? [];
  if (words === undefined) return name;
  const spaced = words.replaceAll(/[-_]+/g, " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A draft has no date in the future, because it is not scheduled. */
function withoutLateDate<A extends BatchArticle>(article: A): A & { notes: string[] } {
  const { publishedAt, ...rest } = article;
  const isLate = article.status === "draft" && typeof publishedAt === "number" && publishedAt > Date.now();
  if (!isLate) return { ...article, notes: [] };
  const day = new Date(publishedAt).toISOString().slice(0, 10);
  return { ...(rest as A), notes: [`Its date, ${day}, is in the future, and a draft can’t have one.`] };
}

/** Checks the article's limits: the server refuses a request as a whole if one of its articles is far too long. */
function requireAllowed(article: BatchArticle) {
  const { error } = BatchArticle.safeParse(article, { error: inWords });
  if (error) throw new Unreadable(error.issues[0]!.message);
}

const DATED_NAME = /^(\d{4})-(\d\d?)-(\d\d?)-(.+)\.(?:md|markdown)$/i;
const isOfJekyll = (file: string) => DATED_NAME.test(file.split("/").at(-1)!);
/** Docusaurus also reads the date from folders: blog/2024-05-06-hi/index.md, blog/2024/05/06/hi.mdx. */
const DATED_PATH = /(?:^|\/)(\d{4})[-/](\d\d?)[-/](\d\d?)[-/]([^/]+?)(?:\/index)?\.(?:md|markdown|mdx)$/i;

/** The parts of 2014-05-06-my-essay.md, as Jekyll names its posts. */
function nameOf(file: string) {
  const [, year, month = "", day = "", name] =
    DATED_NAME.exec(file.split("/").at(-1)!) ?? DATED_PATH.exec(file) ?? [];
  if (year === undefined || name === undefined) return null;
  return { day: `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, slug: slugFrom(name) };
}

/** The date and slug in a file's name, if the front matter has none. A date in the future is ignored. */
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

async function readContent(
  given: string | undefined,
  file: string,
  { toMarkdown, isNote }: Options & { isNote: boolean },
) {
  const isMdx = /\.mdx$/i.test(file);
  const { content, notes } =
    given !== undefined && MARKDOWN.test(file)
      ? withoutGenerators(given, { isMdx, isNote })
      : { content: given, notes: [] as string[] };
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

/** Refuses items with the same title, because the order in which they would overwrite each other is arbitrary. */
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
