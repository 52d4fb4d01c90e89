import { and, eq, exists, sql, type SQL } from "drizzle-orm";
import type { Cue } from "#worker/episodes/contract.ts";
import { episodePassages, episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

type Passage = Pick<typeof episodePassages.$inferSelect, "speakers" | "text" | "cues">;

/** Characters after which a passage ends with its sentence, and those after which it ends anyway. */
const ENOUGH = 1000;
const TOO_LONG = 1500;

/** Captions are cut to fit a screen; a search wants about a minute, and to know when each word was said. */
export function passagesOf(cues: Cue[]): Passage[] {
  const groups: Cue[][] = [];
  let length = Infinity;
  for (const cue of cues) {
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
  for (const { start, speaker, text: said } of group) {
    // A dash, as in printed dialogue, where another voice begins.
    if (text !== "") text += cues.at(-1)?.speaker === speaker ? " " : " – ";
    cues.push({ at: text.length, start, speaker });
    text += said;
  }
  const speakers = new Set(group.map(({ speaker }) => speaker).filter(Boolean));
  return { speakers: [...speakers].join(", "), text, cues };
}

/** A statement takes them as one parameter of JSON, which D1 limits to 2 MB. */
const A_STATEMENT = 200;

/** The statements that write a new episode's passages; they stand in the batch of the write, after the episode itself. */
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
 * The same for an episode whose transcript changed, after the statement that changes it. `updatedAt` is what that one
 * sets: where it came too late and changed nothing, neither do these.
 */
export function replacePassages(ctx: Context, episodeId: number, cues: Cue[], updatedAt: Date) {
  const changed = exists(
    ctx.db
      .select({ id: episodes.id })
      .from(episodes)
      .where(and(eq(episodes.id, episodeId), eq(episodes.updatedAt, updatedAt))),
  );
  return [
    ctx.db.delete(episodePassages).where(and(eq(episodePassages.episodeId, episodeId), changed)),
    ...insertPassages(ctx, episodeId, cues, changed),
  ];
}
