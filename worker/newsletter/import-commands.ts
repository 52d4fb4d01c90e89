import { and, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import { ASK_TOPIC, askBody, firstAskId, isUnasked } from "#worker/newsletter/asking.ts";
import { PAUSE } from "#worker/newsletter/commands.ts";
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
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue, outboxRow, readOutboxRow } from "#worker/platform/work/outbox.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import type { z } from "zod";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { topicsOfNames } from "#worker/topics/choices.ts";

/**
 * Adds the rows of a part of a file, and returns each row's outcome. Unsubscriptions win: a person who left here stays
 * unsubscribed, and one who left at the other service is unsubscribed here, unless they confirmed here later. Pending
 * subscribers of an earlier import that were never asked to confirm move to this import, so that an interrupted import
 * continues. Idempotent: each row's id is made of its import and line, so that a repeated part adds nothing and gets
 * the same answer.
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
    // A pending subscriber is deleted 30 days after this time.
    subscribedAt: isPending ? now : (formerly ?? now),
    consent:
      isPending && formerly !== null
        ? `${consent} Subscribed there on ${dayOf(site, new Date(formerly))}.`
        : consent,
    verifiedAt: isPending || row.status !== "active" ? null : (row.confirmedAt ?? row.subscribedAt ?? now),
    unsubscribedAt: row.status === "unsubscribed" ? leftAt : null,
    // No longer than a pause lasts here.
    pausedUntil:
      !isPending && row.status === "active" && (row.pausedUntil ?? 0) > now
        ? Math.min(row.pausedUntil!, now + PAUSE)
        : null,
    blockedAt: isBlocked(row) ? leftAt : null,
    blockedReason: isBlocked(row) ? `${about.fileName} says so.` : null,
    stamp: randomToken(),
    futureMember: row.futureMember,
    topics: row.topics,
    /** No later than this. */
    leftBefore: Math.min(row.leftAt ?? about.writtenAt ?? now, now),
  };
}

const isBlocked = ({ status }: ImportRow) => status === "bounced" || status === "complained";

type Columns = ReturnType<typeof toColumns>;

/** As JSON in one parameter. Of a repeated address the first row is added. */
async function insertAndFind(ctx: Context, { importId }: About, rows: Columns[]) {
  const { db, now } = ctx;
  const json = JSON.stringify(rows);
  const insert = db
    .insert(subscribers)
    .select(
      sql`select given.value ->> 'id', given.value ->> 'email', given.value ->> 'status', given.value ->> 'source', given.value ->> 'subscribedAt',
        given.value ->> 'consent', given.value ->> 'verifiedAt', given.value ->> 'unsubscribedAt', given.value ->> 'pausedUntil', 0, given.value ->> 'blockedAt',
        given.value ->> 'blockedReason', given.value ->> 'stamp', given.value ->> 'futureMember',
        ${topicsOfNames(sql`given.value ->> 'topics'`)}
      from json_each(${json}) as given where true`,
    )
    .onConflictDoUpdate({
      target: subscribers.email,
      // The id may change, since no email or delivery has it yet. The 30 days restart.
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
 * Unsubscribes those who left at the other service. A person who confirmed later stays: by a mailed link here, or at
 * the former service on a day given in its file. An import without such a day is not a confirmation.
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
      // Identifies the line, so that a repeated part gets the same answer. The link of a sign-up by the form stays
      // valid: the person may have signed up again after leaving.
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

/** SQL: the inserted row is active and unconfirmed. */
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
 * Sends the pending subscribers of an import a confirmation email, some every minute. Idempotent per import.
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
