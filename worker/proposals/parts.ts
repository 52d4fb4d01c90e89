import { eq, sql } from "drizzle-orm";
import type { Cue } from "#worker/episodes/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Part } from "#worker/proposals/passages.ts";
import { MOST_TOKENS } from "#worker/proposals/prompts.ts";
import { proposalRuns } from "#worker/proposals/table.ts";
import { tokensOf } from "#worker/proposals/text-model.ts";

/** Octets of the cues of a part as JSON: with its instructions, less than half of what small models read. */
const PART = 16_000;
/** Octets of a cue besides its words, as it is stored, and as it is sent. */
const STORED = 55;
const SENT = 8;
/** Octets of the instructions. */
const INSTRUCTIONS = 1700;

/** The next part of a run's transcript; null behind its end. It is cut in the database: a long one is large. */
export async function readPart(
  { db }: Context,
  { id, next }: Pick<typeof proposalRuns.$inferSelect, "id" | "next">,
): Promise<Part | null> {
  const rows = await db.all<{ cue: string }>(sql`
    select cue from (
      select cue.key as number, cue.value as cue, sum(octet_length(cue.value)) over (order by cue.key) - octet_length(cue.value) as before
      from ${proposalRuns}, json_each(${proposalRuns.cues}) as cue
      where ${eq(proposalRuns.id, id)} and cue.key >= ${next}
    ) where before < ${PART} order by number`);
  return rows.length === 0 ? null : { from: next, cues: rows.map(({ cue }) => JSON.parse(cue) as Cue) };
}

type Size = { cues: number; octets: number };

/** The tokens that a run takes about: input, and at most as output. */
export function estimate({ cues, octets }: Size) {
  const parts = Math.max(1, Math.ceil((octets + cues * STORED) / PART));
  return {
    input: tokensOf(octets + cues * SENT + (parts + 1) * INSTRUCTIONS + parts * 1000),
    // Half of what is allowed.
    output: (parts * MOST_TOKENS.part + MOST_TOKENS.whole) / 2,
  };
}

type Prices = { inputPrice: number; outputPrice: number };

/** Dollars; the prices are those of a million tokens. */
export const costOf = ({ input, output }: { input: number; output: number }, prices: Prices) =>
  (input * prices.inputPrice + output * prices.outputPrice) / 1e6;
