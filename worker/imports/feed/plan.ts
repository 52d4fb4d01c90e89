import { AUDIO_TYPES } from "#worker/episodes/publish-check.ts";
import type { FeedEpisode, FeedPlan } from "#worker/imports/feed/contract.ts";
import type { AddedItem } from "#worker/imports/items.ts";

type Known = ReadonlySet<string>;

const REFUSED = /^(?:video\/|application\/(?:pdf|epub))/;

/** What becomes of a feed's episodes, page by page, in numbers and in sentences. */
export class Planner {
  readonly counts: FeedPlan["counts"] = {
    episodes: 0,
    isHere: 0,
    leftOut: 0,
    withoutSize: 0,
    chapters: 0,
    transcripts: 0,
    pictures: 0,
  };
  bytes = 0;
  private readonly seen = new Set<string>();
  private readonly problems = new Map<string, number>();

  /** The items of a page's episodes. `known` are the GUIDs that are here already. */
  plan(episodes: FeedEpisode[], known: Known): AddedItem[] {
    return episodes.map((episode) => this.planOne(episode, known));
  }

  note(message: string) {
    this.problems.set(message, (this.problems.get(message) ?? 0) + 1);
  }

  listProblems() {
    return [...this.problems].map(([message, count]) => ({ message, count }));
  }

  private planOne(episode: FeedEpisode, known: Known): AddedItem {
    const { guid, title, audio } = episode;
    const item = { title: title || "Untitled", payload: episode, size: audio?.size ?? 0 };
    const reason = this.reasonToLeaveOut(episode, known);
    // Two of one GUID would be one item; the second is shown all the same.
    const key =
      guid === "" || this.seen.has(guid) ? `${guid} (${this.seen.size + this.counts.leftOut})` : guid;
    this.seen.add(guid);
    if (reason !== null) {
      if (reason === IS_HERE) this.counts.isHere++;
      else this.leaveOut(reason);
      return { ...item, key, skipped: reason };
    }
    const problems = problemsOf(episode);
    this.count(episode);
    for (const problem of problems) this.note(problem);
    return { ...item, key, ...(problems.length > 0 && { note: problems.join(" ") }) };
  }

  private leaveOut(reason: string) {
    this.counts.leftOut++;
    this.note(reason);
  }

  private reasonToLeaveOut({ guid, audio }: FeedEpisode, known: Known) {
    if (!audio) return "It has no audio, so apps don’t show it.";
    if (this.seen.has(guid)) return "Another episode in the feed has the same GUID, so apps show only one.";
    if (known.has(guid)) return IS_HERE;
    return REFUSED.test(audio.type) ? `It isn’t audio (${audio.type}).` : null;
  }

  private count(episode: FeedEpisode) {
    const { audio, chapters, chaptersFile, transcripts, imageUrl } = episode;
    const { counts } = this;
    counts.episodes++;
    this.bytes += audio?.size ?? 0;
    if (audio?.size === 0) counts.withoutSize++;
    if (chapters.length > 0 || chaptersFile) counts.chapters++;
    if (transcripts.length > 0) counts.transcripts++;
    if (imageUrl) counts.pictures++;
  }
}

export const IS_HERE = "Already here.";

/** Bytes. Larger ones are not stored. */
const MOST_AUDIO = 500 * 1024 * 1024;

/** What is missing of an episode that comes, or what an app would refuse of it. */
function problemsOf({ title, publishedAt, audio, summary, notes, transcripts }: FeedEpisode) {
  return [
    ...(title === "" ? ["It has no title, so apps refuse it."] : []),
    ...(publishedAt === null ? ["Its date can’t be read. It gets the date of the import."] : []),
    ...(audio && audio.type !== "" && !AUDIO_TYPES.includes(audio.type)
      ? [`Apple Podcasts may not play it (${audio.type}).`]
      : []),
    ...(audio && audio.size > MOST_AUDIO ? ["Its audio is larger than 500 MB, so it will fail."] : []),
    ...(audio?.size === 0 ? ["The feed doesn’t give the size of its audio."] : []),
    ...(summary === "" && notes === "" ? ["It has no description."] : []),
    ...(transcripts.length === 0 ? ["It has no transcript."] : []),
  ];
}
