import { sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { hasAccount } from "#worker/accounts/queries.ts";
import { nouns } from "#worker/nouns/list.ts";
import {
  heldKinds,
  PersonQuery,
  type HeldCounts,
  type HeldKind,
  type Person,
} from "#worker/people/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Holding } from "#worker/people/held.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";

/** Maximum records per kind on the page. */
const LATEST = 20;

export const holdings = Object.assign({}, ...nouns.map(({ held }) => held)) as Record<HeldKind, Holding>;

/** SQL: a select of the counts of all kinds. */
export const selectCounts = (email: string) =>
  sql`select ${sql.join(
    heldKinds.map((kind) => sql`${holdings[kind].count(email)} as ${sql.identifier(kind)}`),
    sql`, `,
  )}`;

/**
 * The data about the person with an address: the counts, and the latest records of each kind.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function readPerson(ctx: Context, input: PersonQuery): Promise<Person> {
  requireCapability("audience", ctx);
  const { email } = parseInput(PersonQuery, input);
  const { account, ...counts } = await ctx.db.get<HeldCounts & { account: number }>(
    sql`select *, ${hasAccount(email)} as account from (${selectCounts(email)})`,
  );
  const latest = heldKinds
    .filter((kind) => counts[kind] > 0)
    .map(async (kind) => {
      const rows = await holdings[kind].read(ctx, email, { before: null, limit: LATEST });
      return { kind, items: rows.map(({ key: _key, ...held }) => held) };
    });
  return { email, counts, latest: await Promise.all(latest), hasAccount: Boolean(account) };
}

/** The security event's row: names the user who did it (empty for a job), never the person concerned. */
export const eventOf = (ctx: Context, kind: "person_exported" | "person_deleted", provided?: SQL) =>
  eventRow(ctx, { kind, email: ctx.actor.kind === "user" ? ctx.actor.email : "" }, provided);
