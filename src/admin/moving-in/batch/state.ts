import type { ArticleStatus } from "#worker/articles/contract.ts";
import type { BatchArticle } from "#worker/imports/contract.ts";
import { Unreadable } from "./unreadable.ts";

/**
 * Fields, in simple letters, by which a text is not public: Hugo's, Docusaurus’s and Astro’s `draft`, Docusaurus’s `unlisted`,
 * Hugo’s `headless`, and those that themes use.
 */
const CLOSING: Record<string, string> = {
  draft: "a draft",
  isdraft: "a draft",
  unpublished: "unpublished",
  wip: "unfinished",
  private: "private",
  isprivate: "private",
  unlisted: "unlisted",
  isunlisted: "unlisted",
  hidden: "hidden",
  ishidden: "hidden",
  headless: "without a page of its own",
  eleventyexcludefromcollections: "unlisted",
  membersonly: "for members only",
  protected: "protected",
  archived: "archived",
  isarchived: "archived",
};

/** Those by which it is public: Jekyll’s and Hexo’s `published`, Obsidian’s `publish`. */
const OPENING = new Set([
  "published",
  "ispublished",
  "publish",
  "dgpublish",
  "public",
  "ispublic",
  "live",
  "islive",
  "listed",
]);

/** Who may read it. */
const AUDIENCES = new Set(["visibility", "audience", "access"]);
const EVERYBODY = /^(?:public|everyone|everybody|all|anyone|open|web)$/;

/** In Hugo what becomes of a page, in Eleventy its address. */
const RENDERING = new Set(["build", "permalink"]);
const PASSWORDS = new Set(["password", "passwd"]);

export const isStateName = (name: string) =>
  Object.hasOwn(CLOSING, name) || [OPENING, AUDIENCES, PASSWORDS].some((names) => names.has(name));

/** Whether a field says something of the state that may mean other things as well. */
export const isRendering = (name: string, value: unknown) =>
  RENDERING.has(name) && (value === false || (name === "build" && typeof value === "object"));

const statuses: Record<string, ArticleStatus> = {
  publish: "published",
  published: "published",
  public: "published",
  draft: "draft",
  scheduled: "scheduled",
  future: "scheduled",
  archived: "archived",
};
/** Words for what is not public at other places. */
const CLOSED_STATUS =
  /^(?:private|pending|hidden|unlisted|unpublished|protected|members|paid|wip|idea|(?:in[ -_])?(?:review|progress)|trash)$/;

/** Collects what a file says of whether its text was public. */
export class StateReader {
  #why: string[] = [];
  #said: string[] = [];
  #isOpen = false;
  #status: ArticleStatus | undefined;

  /** @throws {Unreadable} */
  readStatus(value: unknown) {
    const word = String(value).trim().toLowerCase();
    if (CLOSED_STATUS.test(word)) this.#close(word);
    else if (Object.hasOwn(statuses, word)) this.#status = statuses[word];
    else
      throw new Unreadable(`Unknown status “${String(value)}”. Use draft, published, scheduled or archived.`);
  }

  /** @param name In simple letters. @param key As the file has it. */
  read(name: string, key: string, value: unknown) {
    const is = switchOf(value);
    if (AUDIENCES.has(name)) this.#readAudience(value);
    else if (PASSWORDS.has(name)) {
      if (value !== "" && value !== false) this.#close("protected by a password");
    } else if (RENDERING.has(name)) this.#readRendering(value);
    else if (is === undefined)
      this.#why.push(`Whether it was public can’t be told from “${key}: ${shortOf(value)}”`);
    else if (OPENING.has(name)) {
      if (is) this.#isOpen = true;
      else this.#close("not published");
    } else if (is) this.#close(CLOSING[name]!);
    // That it is no draft is that it was published; that it is not hidden says nothing.
    else if (CLOSING[name] === "a draft") this.#isOpen = true;
  }

  /** A folder or a name that generators of sites leave out: `_drafts`, and what begins with a line. */
  readPath(path: string) {
    const parts = path.split("/");
    const folder = parts.slice(0, -1).find((part) => /^_?drafts?$/i.test(part));
    if (folder) this.#close(`in ${folder}`);
    if (parts.at(-1)!.startsWith("_")) this.#why.push("Its file’s name begins with _");
    if (parts.slice(0, -1).some((part) => part.toLowerCase() === "_posts")) this.#isOpen = true;
  }

  /** A date on which it was no longer shown. */
  readExpiry(at: number, now: number) {
    if (at <= now) this.#close("shown until a date that is past");
    else
      this.#said.push(
        `It was to be shown until ${new Date(at).toISOString().slice(0, 10)}, which isn’t kept.`,
      );
  }

  /**
   * The state of an article with this date. Nothing is published that nobody said was public: an explicit word, a date or
   * the folder says so.
   * @param isSelected At its place only what is selected is published.
   */
  state(
    { publishedAt, scheduledFor }: Partial<BatchArticle>,
    { now, isSelected }: { now: number; isSelected: boolean },
  ) {
    const notes = [...this.#why.map((why) => `${why}, so it’s imported as a draft.`), ...this.#said];
    if (this.#why.length > 0 || this.#status === "draft") return { status: "draft" as const, notes };
    if (this.#status) return { status: this.#status, notes };
    if (scheduledFor) return { newStatus: "scheduled" as const, notes };
    const isDated = typeof publishedAt === "number" && !isSelected;
    if (isDated && publishedAt > now) return { newStatus: "scheduled" as const, notes };
    if (this.#isOpen || isDated) return { newStatus: "published" as const, notes };
    return { newStatus: "draft" as const, notes: [...notes, UNKNOWN] };
  }

  #close(what: string) {
    const why = `It was ${what}`;
    // A draft is what it was: nothing about it is to be told.
    if (what === "a draft") this.#status = "draft";
    else if (!this.#why.includes(why)) this.#why.push(why);
  }

  #readAudience(value: unknown) {
    const words = (Array.isArray(value) ? value : [value]).map((word) => String(word).trim().toLowerCase());
    if (words.every((word) => EVERYBODY.test(word))) this.#isOpen = true;
    else this.#close(`for ${shortOf(value)} only`);
  }

  #readRendering(value: unknown) {
    const { render, list } = (value === false ? { render: false } : value) as {
      render?: unknown;
      list?: unknown;
    };
    if (render === false || render === "never" || render === "link") this.#close(CLOSING["headless"]!);
    else if (list === false || list === "never" || list === "local") this.#close("unlisted");
  }
}

const UNKNOWN = "The file doesn’t say that it was public: as a new article it’s a draft.";

const shortOf = (value: unknown) =>
  (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, 40);

/** True or false as YAML 1.1 writes them too; undefined for anything else. */
export function switchOf(value: unknown) {
  const word = String(value).trim().toLowerCase();
  if (/^(?:true|yes|on|y|1)$/.test(word)) return true;
  if (/^(?:false|no|off|n|0|)$/.test(word)) return false;
  return undefined;
}
