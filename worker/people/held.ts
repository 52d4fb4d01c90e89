import type { SQL } from "drizzle-orm";
import type { Held } from "#worker/people/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** A noun's data about the person with a (lowercased) address. */
export type Holding = {
  /** SQL: how many there are. */
  count: (email: string) => SQL<number>;
  /** Newest first; `key` is the cursor of the next page. */
  read: (ctx: Context, email: string, page: HeldPage) => Promise<(Held & { key: number })[]>;
};
export type HeldPage = { before: number | null; limit: number };

/** A row with its times as ISO 8601. */
export const inWriting = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
