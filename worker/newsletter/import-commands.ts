import { and, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import { ASK_TOPIC, askBody, firstAskId, isUnasked } from "#worker/newsletter/asking.ts";
import { dayOf, hasImportedConsent, importedConsent } from "#worker/newsletter/consent.ts";
import {
  AskImported,
  ImportInput,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from "#worker/newsletter/contract.ts";
import { summaryColumns } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { enqueue, outboxRow, readOutboxRow } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import type { z } from "zod";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Adds the rows of a part of a file, and answers what became of each. Leaving beats staying: whoever left here stays so,
 * whatever the file says, and whoever left there leaves here too, unless they confirmed here after that. Pending ones of an
 * earlier import that were never asked to confirm become this import's, so that one that was cut off continues. Each row has
 * an id of its import and line, so that the same part, sent a second time after a lost answer, adds nothing and is answered
 * the same.
 * @throws `unauthenticated`, `forbidden`; `invalid` for the import as a whole
 */
export async function importSubscribers(
  ctx: Context,
  input: ImportInput,
): Promise<{ items: ImportResult[] }> {
  requireCapability("audience", ctx);
  const { rows, ...about } = parseInput(ImportInput, input);
  const site = await readSite(ctx);
  const read = rows.map((row) => ({ row, address: readAddress(row.email) }));
  const valid = read.flatMap(({ row, address }) => ("email" in address ? [{ ...row, ...address }] : []));
  const found = await insertAndFind(
    ctx,
    about,
    valid.map((row) => toColumns(ctx, site, about, row)),
  );
  return {
    items: read.map(({ row: { line }, address }) => ({
      line,
      outcome:
        "why" in address ? { kind: "invalid", ...address } : outcomeOf(about, line, found, address.email),
    })),
  };
}

type About = Omit<z.output<typeof ImportInput>, "rows">;

const idOf = ({ importId }: Pick<About, "importId">, line: number) => `${importId}-${line}`;

/** The columns that the statement below reads, times in milliseconds UTC. */
function toColumns(ctx: Context, site: Site, about: About, row: ImportRow) {
  const now = ctx.now.getTime();
  const isPending = row.status === "pending" || (row.status === "active" && !about.isConfirmed);
  const consent = importedConsent(ctx, site, { fileName: about.fileName, words: about.consent });
  const formerly = row.subscribedAt ?? row.confirmedAt;
  const leftAt = Math.min(row.leftAt ?? now, now);
  return {
    id: idOf(about, row.line),
    email: row.email,
    status: row.status === "pending" ? "active" : row.status,
    source: row.source ?? about.source,
    // A pending one is deleted 30 days after this.
    subscribedAt: isPending ? now : (formerly ?? now),
    consent:
      isPending && formerly !== null
        ? `${consent} Subscribed there on ${dayOf(site, new Date(formerly))}.`
        : consent,
    verifiedAt: isPending || row.status !== "active" ? null : (row.confirmedAt ?? row.subscribedAt ?? now),
    unsubscribedAt: row.status === "unsubscribed" ? leftAt : null,
    blockedAt: isBlocked(row) ? leftAt : null,
    blockedReason: isBlocked(row) ? `${about.fileName} says so.` : null,
    stamp: randomToken(),
    futureMember: row.futureMember,
    /** No later than this. */
    leftBefore: Math.min(row.leftAt ?? about.writtenAt ?? now, now),
  };
}

const isBlocked = ({ status }: ImportRow) => status === "bounced" || status === "complained";

type Columns = ReturnType<typeof toColumns>;

/** As JSON, which one parameter carries. Of an address that the part has twice, its first row is added. */
async function insertAndFind(ctx: Context, { importId }: About, rows: Columns[]) {
  const { db, now } = ctx;
  const json = JSON.stringify(rows);
  const insert = db
    .insert(subscribers)
    .select(
      sql`select value ->> 'id', value ->> 'email', value ->> 'status', value ->> 'source', value ->> 'subscribedAt',
        value ->> 'consent', value ->> 'verifiedAt', value ->> 'unsubscribedAt', null, 0, value ->> 'blockedAt',
        value ->> 'blockedReason', value ->> 'stamp', value ->> 'futureMember'
      from json_each(${json}) where true`,
    )
    .onConflictDoUpdate({
      target: subscribers.email,
      // No mail and no delivery has their id yet. Their 30 days begin anew.
      set: { id: sql`excluded.id`, subscribedAt: now },
      setWhere: and(isUnasked(ctx, importId), isAddedAsPending),
    });
  const { id, email, state } = summaryColumns;
  const find = db
    .select({ id, email, state, stamp: subscribers.stamp })
    .from(subscribers)
    .where(inArray(subscribers.email, sql`(select value ->> 'email' from json_each(${json}))`));
  const hasLeaving = rows.some(({ status }) => status !== "active");
  const found = hasLeaving
    ? (await db.batch([insert, takeOff(ctx, json), find]))[2]
    : (await db.batch([insert, find]))[1];
  return new Map(found.map((row) => [row.email, row]));
}

/**
 * Those who are subscribed here and left there. Whoever confirmed here after that stays: by the link in a mail, or at the
 * former service on a day that its file gives. An import that knew no such day is no confirmation.
 */
function takeOff({ db }: Context, json: string) {
  const isUndatedImport = and(hasImportedConsent, eq(subscribers.verifiedAt, subscribers.subscribedAt));
  const givenTime = (name: string) => sql<Date | null>`given.value ->> ${sql.raw(`'${name}'`)}`;
  return db
    .update(subscribers)
    .set({
      status: sql`given.value ->> 'status'`,
      unsubscribedAt: givenTime("unsubscribedAt"),
      blockedAt: givenTime("blockedAt"),
      blockedReason: sql`given.value ->> 'blockedReason'`,
      pausedUntil: null,
      // Names the line, by which the same part, sent again, is answered the same. The link of a sign-up by the form stays
      // valid: they may have signed up again since they left there.
      stamp: sql`case when ${subscribers.verifiedAt} is null and not ${hasImportedConsent} then ${subscribers.stamp}
        else given.value ->> 'id' end`,
    })
    .from(sql`json_each(${json}) as given`)
    .where(
      and(
        sql`${subscribers.email} = given.value ->> 'email'`,
        eq(subscribers.status, "active"),
        sql`given.value ->> 'status' <> 'active'`,
        or(
          isNull(subscribers.verifiedAt),
          lte(subscribers.verifiedAt, sql`given.value ->> 'leftBefore'`),
          isUndatedImport,
        ),
      ),
    );
}

/** SQL: of the row that an insert brings. */
const isAddedAsPending = sql`excluded.status = 'active' and excluded.verified_at is null`;

type Found = Awaited<ReturnType<typeof insertAndFind>>;

function outcomeOf(about: About, line: number, found: Found, email: string): ImportOutcome {
  const row = found.get(email)!;
  if (row.id === idOf(about, line)) return { kind: "added", state: row.state };
  if (row.stamp === idOf(about, line)) return { kind: "removed", state: row.state };
  if (row.id.startsWith(`${about.importId}-`)) return { kind: "double" };
  return { kind: "known", state: row.state };
}

/**
 * Has those whom an import added as pending asked by mail to confirm, some in each minute. Once for an import, however
 * often it is called.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function askImported(ctx: Context, input: AskImported) {
  requireCapability("audience", ctx);
  const { importId } = parseInput(AskImported, input);
  const id = firstAskId(importId);
  if (await readOutboxRow(ctx, id)) return;
  const body = await askBody(ctx);
  const first = outboxRow(ctx, ASK_TOPIC, { importId, bodyId: body.id, after: "" }, { id });
  await ctx.db.batch([body.statement, first.statement]);
  enqueue(ctx, id);
}
