import { AUDIO_TYPES } from "#worker/episodes/publish-check.ts";
import { maxBytes } from "#worker/files/contract.ts";
import { mayBeSimplified, notesOf } from "#worker/imports/feed/notes.ts";
import type { FeedEpisode, FeedPlan } from "#worker/imports/feed/contract.ts";
import { problemOfAddress } from "#worker/imports/feed/download.ts";
import type { Context } from "#worker/platform/context.ts";
import { dateProblems } from "#worker/imports/foreign-date.ts";
import type { AddedItem } from "#worker/imports/items.ts";

type Known = ReadonlySet<string>;

/** Plans a feed's episodes page by page, with counts and notes. */
export class Planner {
  readonly counts: Required<FeedPlan["counts"]> = {
    episodes: 0,
    isHere: 0,
    leftOut: 0,
    drafts: 0,
    scheduled: 0,
    articles: 0,
    withoutSize: 0,
    chapters: 0,
    transcripts: 0,
    pictures: 0,
  };
  bytes = 0;
  private readonly seen = new Set<string>();
  private readonly now: number;
  /** Characters of notes that may still be converted. */
  private left = MOST_CONVERTED;
  private readonly problems = new Map<string, number>();

  private readonly ctx: Context;

  /** What is dated after the time of `ctx` is scheduled. */
  constructor(ctx: Context) {
    this.ctx = ctx;
    this.now = ctx.now.getTime();
  }

  /**
   * The items for a page's episodes. `known` are the GUIDs of existing episodes, `articles` those whose texts are
   * articles.
   */
  plan(episodes: FeedEpisode[], known: Known, articles: Known = new Set()): AddedItem[] {
    return episodes.map((episode) => this.planOne(episode, known, articles));
  }

  note(message: string) {
    this.problems.set(message, (this.problems.get(message) ?? 0) + 1);
  }

  listProblems() {
    return [...this.problems].map(([message, count]) => ({ message, count }));
  }

  private planOne(episode: FeedEpisode, known: Known, articles: Known): AddedItem {
    const { guid, title } = episode;
    const item = { title: title || "Untitled", payload: episode, size: bytesOf(episode) };
    const reason = this.reasonToLeaveOut(episode, known);
    // Two with the same GUID would be one item; the second is listed with another key.
    const key =
      guid === "" || this.seen.has(guid) ? `${guid} (${this.seen.size + this.counts.leftOut})` : guid;
    this.seen.add(guid);
    if (reason !== null) {
      if (reason === IS_HERE) this.counts.isHere++;
      else this.leaveOut(reason);
      return { ...item, key, skipped: reason };
    }
    const omissions = [...new Set([...episode.omissions, ...this.notesOmissions(episode)])];
    const state = stateOf(episode, this.now);
    const address = problemOfAddress(this.ctx, episode.audio?.url ?? "");
    const problems = [
      ...(address === null ? [] : [`Its audio will fail. ${address}`]),
      ...problemsOf(episode),
      ...(articles.has(guid) ? [AS_ARTICLE] : []),
    ];
    this.count(episode);
    if (articles.has(guid)) this.counts.articles++;
    for (const problem of [...state, ...omissions, ...problems]) this.note(problem);
    const detail =
      state.length > 0 && episode.date.text !== "" ? [`The feed has “${episode.date.text}”.`] : [];
    const note = [...state, ...detail, ...omissions, ...problems].join(" ");
    return { ...item, key, ...(note !== "" && { note }) };
  }

  /** What a conversion loses is known only by converting, which takes seconds for a megabyte. */
  private notesOmissions({ notes }: FeedEpisode) {
    if (!mayBeSimplified(notes)) return [];
    if (notes.length > this.left) return ["Its notes are long, and may be simplified."];
    this.left -= notes.length;
    return notesOf(notes, MOST_NOTES).losses;
  }

  private leaveOut(reason: string) {
    this.counts.leftOut++;
    this.note(reason);
  }

  private reasonToLeaveOut({ guid, audio, audioProblem }: FeedEpisode, known: Known) {
    if (!audio) return audioProblem;
    if (this.seen.has(guid)) return "Another episode in the feed has the same GUID, so apps show only one.";
    return known.has(guid) ? IS_HERE : null;
  }

  private count(episode: FeedEpisode) {
    const { audio, chapters, chaptersFile, transcripts, imageUrl, publishedAt } = episode;
    const { counts } = this;
    counts.episodes++;
    if (publishedAt === null) counts.drafts++;
    else if (publishedAt > this.now) counts.scheduled++;
    this.bytes += bytesOf(episode);
    if (audio?.size === 0) counts.withoutSize++;
    if (chapters.length > 0 || chaptersFile) counts.chapters++;
    if (transcripts.length > 0) counts.transcripts++;
    if (imageUrl) counts.pictures++;
  }
}

/** Of its audio and its further files, as the feed states them. */
const bytesOf = ({ audio, furtherFiles = [] }: FeedEpisode) =>
  [audio?.size ?? 0, ...furtherFiles.map(({ size }) => size)].reduce((sum, size) => sum + size, 0);

export const IS_HERE = "Already here.";
const AS_ARTICLE = "Its text is here as an article, too.";

/** Characters of Markdown, as an episode takes them. */
export const MOST_NOTES = 100_000;
const MOST_CONVERTED = 1_000_000;

/** That an episode isn't published, and why. */
export function stateOf({ publishedAt, date }: Pick<FeedEpisode, "publishedAt" | "date">, now: number) {
  // An import from before does not know why.
  if (publishedAt === null) return [`${dateProblems[date?.problem ?? "unreadable"]} It becomes a draft.`];
  return publishedAt > now ? ["Its date is in the future, so it is scheduled."] : [];
}

/** What is missing in an episode, or what an app would refuse. */
function problemsOf({ title, audio, summary, notes, transcripts }: FeedEpisode) {
  return [
    ...(title === "" ? ["It has no title, so apps refuse it."] : []),
    ...(audio?.type.startsWith("audio/") === false
      ? ["Neither its type nor its address says that it is audio. The file itself decides."]
      : []),
    ...(audio?.type.startsWith("audio/") && !AUDIO_TYPES.includes(audio.type)
      ? [`Apple Podcasts may not play it (${audio.type}).`]
      : []),
    ...(audio && audio.size > maxBytes("podcast-audio")
      ? ["Its audio is larger than 500 MB, so it will fail."]
      : []),
    ...(audio?.size === 0 ? ["The feed doesn’t give the size of its audio."] : []),
    ...(summary === "" && notes === "" ? ["It has no description."] : []),
    ...(transcripts.length === 0 ? ["It has no transcript."] : []),
  ];
}
