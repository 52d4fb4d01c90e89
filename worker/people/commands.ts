import { sql, type SQL } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { throwUnless } from "#worker/accounts/audit-log.ts";
import { eraseLogOf } from "#worker/accounts/log-chain.ts";
import { nouns } from "#worker/nouns/list.ts";
import {
  heldKinds,
  NOTHING_HELD,
  PersonQuery,
  type HeldCounts,
  type HeldKind,
} from "#worker/people/contract.ts";
import { eventOf, holdings, selectCounts } from "#worker/people/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Deletes all data about the person with an address, atomically, and returns the counts. Accounts stay, and so do
 * engagements, without their contact. A last email cancels a recording to which the person is invited. The security
 * events record the deletion, not the person.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `not_found` if there is no data
 */
export async function deletePerson(ctx: Context, input: PersonQuery): Promise<HeldCounts> {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  const { email } = parseInput(PersonQuery, input);
  const isHeld = sql`${sql.join(
    heldKinds.map((kind) => holdings[kind].count(email)),
    sql` + `,
  )} > 0`;
  const followUps = await Promise.all(nouns.map((noun) => noun.forget?.(ctx, email)));
  const [counts] = await throwUnless(nothingHeld, () =>
    ctx.db.batch([
      countsOf(ctx, email),
      eventOf(ctx, "person_deleted", isHeld),
      eraseLogOf(ctx, email),
      ...followUps.flatMap((followUp) => followUp?.statements ?? []),
    ]),
  );
  for (const followUp of followUps) followUp?.enqueue?.();
  return counts[0]!;
}

/** As a statement of a batch. */
const countsOf = ({ db }: Context, email: string) => {
  const columns = Object.fromEntries(
    heldKinds.map((kind) => [kind, sql<number>`${sql.identifier(kind)}`.as(kind)]),
  ) as Record<HeldKind, SQL.Aliased<number>>;
  return db.select(columns).from(sql`(${selectCounts(email)})`);
};

const nothingHeld = () => new AppError("not_found", NOTHING_HELD);
