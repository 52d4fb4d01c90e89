import { and, eq, exists, sql, type SQL } from "drizzle-orm";
import type { Cue } from "#worker/episodes/contract.ts";
import { isSound } from "#worker/episodes/transcript-input/offered-voices.ts";
import { episodePassages, episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

type Passage = Pick<typeof episodePassages.$inferSelect, "speakers" | "text" | "cues">;

/** Characters after which a passage ends at the next end of a sentence, and after which it ends at the next cue. */
const ENOUGH = 1000;
const TOO_LONG = 1500;

/**
 * Cues are a caption long; search results cite about a minute of speech and the time of each word. What is heard without
 * being said is not searched.
 */
function passagesOf(cues: Cue[]): Passage[] {
  const groups: Cue[][] = [];
  let length = Infinity;
  for (const cue of cues) {
    if (isSound(cue.text)) continue;
    const last = groups.at(-1)?.at(-1);
    const isFull = length > TOO_LONG || (length > ENOUGH && /[.?!…]["”’]?$/.test(last?.text ?? ""));
    if (isFull) groups.push([]);
    length = (isFull ? 0 : length) + cue.text.length;
    groups.at(-1)?.push(cue);
  }
  return groups.map(toPassage);
}

function toPassage(group: Cue[]): Passage {
  const cues: Passage["cues"] = [];
  let text = "";
  for (const { start, speaker, text: spoken } of group) {
    // A dash marks a change of speaker, as in printed dialogue.
    if (text !== "") text += cues.at(-1)?.speaker === speaker ? " " : " – ";
    cues.push({ at: text.length, start, speaker });
    text += spoken;
  }
  const speakers = new Set(group.map(({ speaker }) => speaker).filter(Boolean));
  return { speakers: [...speakers].join(", "), text, cues };
}

/** Passages in a statement: they are one JSON parameter, which D1 limits to 2 MB. */
const A_STATEMENT = 200;

/** The statements that insert an episode's passages; they follow the episode's own in its batch. */
export function insertPassages(
  { db }: Context,
  episodeId: SQL | number,
  cues: Cue[],
  condition: SQL = sql`true`,
) {
  const passages = passagesOf(cues);
  return Array.from({ length: Math.ceil(passages.length / A_STATEMENT) }, (_, slice) => {
    const json = JSON.stringify(passages.slice(slice * A_STATEMENT, (slice + 1) * A_STATEMENT));
    return db.insert(episodePassages).select(sql`
      select null, ${episodeId}, value ->> 'speakers', value ->> 'text', value -> 'cues' from json_each(${json})
      where ${condition}`);
  });
}

/**
 * The same for a changed transcript, after the statement that updates the episode. `isUpdated` is true of an episode with
 * the values that it sets: when it updated nothing because of a conflict, neither do these.
 */
export function replacePassages(ctx: Context, episodeId: number, cues: Cue[], isUpdated: SQL) {
  const changed = exists(
    ctx.db
      .select({ id: episodes.id })
      .from(episodes)
      .where(and(eq(episodes.id, episodeId), isUpdated)),
  );
  return [
    ctx.db.delete(episodePassages).where(and(eq(episodePassages.episodeId, episodeId), changed)),
    ...insertPassages(ctx, episodeId, cues, changed),
  ];
}
