import type { ArticleStatus } from "#worker/articles/contract.ts";
import type { BatchArticle } from "#worker/imports/contract.ts";
import { Unreadable } from "./items.ts";

/**
 * Normalised names of fields that mark a text as not public: Hugo's, Docusaurus’s and Astro’s `draft`, Docusaurus’s
 * `unlisted`, Hugo’s `headless`, and those of themes.
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

/** Fields that mark a text as public: Jekyll’s and Hexo’s `published`, Obsidian’s `publish`. */
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

/** Fields that say who may read it. */
const AUDIENCES = new Set(["visibility", "audience", "access"]);
const EVERYBODY = /^(?:public|everyone|everybody|all|anyone|open|web)$/;

/** Hugo's rendering options, and Eleventy's address of the page. */
const RENDERING = new Set(["build", "permalink"]);
const PASSWORDS = new Set(["password", "passwd"]);

export const isStateName = (name: string) =>
  Object.hasOwn(CLOSING, name) || [OPENING, AUDIENCES, PASSWORDS].some((names) => names.has(name));

/** Whether a field may affect the status, but may also mean something else. */
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
/** Statuses that mean not public at other places. */
const CLOSED_STATUS =
  /^(?:private|pending|hidden|unlisted|unpublished|protected|members|paid|wip|idea|(?:in[ -_])?(?:review|progress)|trash)$/;

/** Collects what a file says about whether its text was public. */
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

  /** @param name Normalised. @param key As written in the file. */
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
    // Not a draft means published; not hidden means nothing.
    else if (CLOSING[name] === "a draft") this.#isOpen = true;
  }

  /** A folder or file name that site generators skip: `_drafts`, and names that begin with an underscore. */
  readPath(path: string) {
    const parts = path.split("/");
    const folder = parts.slice(0, -1).find((part) => /^_?drafts?$/i.test(part));
    if (folder) this.#close(`in ${folder}`);
    if (parts.at(-1)!.startsWith("_")) this.#why.push("Its file’s name begins with _");
    if (parts.slice(0, -1).some((part) => part.toLowerCase() === "_posts")) this.#isOpen = true;
  }

  /** A date after which it was hidden. */
  readExpiry(at: number, now: number) {
    if (at <= now) this.#close("shown until a date that is past");
    else
      this.#said.push(
        `It was to be shown until ${new Date(at).toISOString().slice(0, 10)}, which isn’t kept.`,
      );
  }

  /**
   * The status of an article with this date. An article is only published if a field, a date or the folder says that it
   * was public.
   * @param isSelected Whether its place only publishes selected articles.
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
    // A draft stays a draft, without a note.
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

/** True or false, also in the spellings of YAML 1.1; undefined for anything else. */
export function switchOf(value: unknown) {
  const word = String(value).trim().toLowerCase();
  if (/^(?:true|yes|on|y|1)$/.test(word)) return true;
  if (/^(?:false|no|off|n|0|)$/.test(word)) return false;
  return undefined;
}
