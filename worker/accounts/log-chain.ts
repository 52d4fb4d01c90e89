import { createHash } from "node:crypto";
import { asc, eq, gt, inArray, lt, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  addLogChecks,
  NOTHING_CHECKED,
  type LogCheck,
  type LogFault,
  type LogHead,
  type SecurityEventKind,
} from "#worker/accounts/contract.ts";
import { hasAccount } from "#worker/accounts/queries.ts";
import { logChain, securityEvents } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { runTogether } from "#worker/platform/data/raw-batch.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/**
 * Each entry of the audit log has a hash of the hash before it and its own content, so that an entry which is changed,
 * removed or inserted later does not match. docs/decisions/0096-log-chain.md.
 */

const DAY = 86_400_000;
export const RETENTION = 365 * DAY;
/** Events that strangers can cause without an account. */
const STRANGERS: SecurityEventKind[] = [
  "login_failed",
  "reset_requested",
  "session_refused",
  "origin_refused",
  "link_refused",
  "signature_refused",
  "limit_reached",
  "input_refused",
];
const STRANGERS_RETENTION = 30 * DAY;

type Entry = typeof securityEvents.$inferSelect;

const START: LogHead = { id: 0, hash: "" };

/** Entries that are read and hashed at a time. */
const SLICE = 500;
/** Slices of one tick, each four statements; the rest follows in the next. */
const MOST_SLICES = { free: 2, paid: 10 };

const sha256 = (...parts: unknown[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The salt makes an address unguessable from its hash, once both it and the address are erased. */
const personalHash = ({ email, by, address, userAgent, detail }: Entry, salt: string) =>
  sha256(salt, email, by, address, userAgent, detail);

const entryHash = (before: string, { id, at, kind }: Entry, personal: string) =>
  sha256(before, id, at.getTime(), kind, personal);

async function readHead({ db }: Context) {
  const [row] = await db.select().from(logChain);
  const head: LogHead = row ? { id: row.lastId, hash: row.lastHash } : START;
  const base: LogHead = row ? { id: row.prunedId, hash: row.prunedHash } : START;
  return { head, base, isNew: row === undefined };
}

/** The newest chained entry, which copies store outside of the database. */
export const readLogHead = async (ctx: Context) => (await readHead(ctx)).head;

/**
 * Each minute: chains the entries that were appended since, in the order of their ids, which is that of their commits. Of two
 * at the same time only one finds the head as it has read it; the other changes nothing.
 */
export async function chainEntries(ctx: Context) {
  for (let slices = 0; slices < MOST_SLICES[ctx.config.plan]; slices++) if (!(await chainSlice(ctx))) return;
}

/** Returns whether there may be more. */
async function chainSlice(ctx: Context) {
  const { head, isNew } = await readHead(ctx);
  const entries = await entriesAfter(ctx, head.id);
  if (entries.length === 0) return false;
  let { hash } = head;
  const chained = entries.map((entry) => {
    const salt = randomToken();
    const personal = personalHash(entry, salt);
    hash = entryHash(hash, entry, personal);
    return { id: entry.id, email: entry.email, address: entry.address, salt, personal, hash };
  });
  const lastId = chained.at(-1)!.id;
  const given = sql`json_each(${JSON.stringify(chained)}) as given`;
  await runTogether(ctx, [
    // A restore that has begun since has deleted the row: then nothing is chained.
    isNew
      ? sql`insert into ${logChain} (id, last_id, last_hash, pruned_id, pruned_hash)
          values (1, ${lastId}, ${hash}, 0, '') on conflict do nothing`
      : sql`update ${logChain} set last_id = ${lastId}, last_hash = ${hash}
          where last_id = ${head.id} and last_hash = ${head.hash}`,
    // Without a salt if the entry was erased since it was read.
    sql`update ${securityEvents}
      set salt = iif(${securityEvents.email} = given.value ->> 'email'
          and ${securityEvents.address} = given.value ->> 'address', given.value ->> 'salt', null),
        personal_hash = given.value ->> 'personal', hash = given.value ->> 'hash'
      from ${given} where ${securityEvents.id} = given.value ->> 'id' and changes() > 0`,
  ]);
  return entries.length === SLICE;
}

const entriesAfter = ({ db }: Context, id: number) =>
  db
    .select()
    .from(securityEvents)
    .where(gt(securityEvents.id, id))
    .orderBy(asc(securityEvents.id))
    .limit(SLICE);

/** Entries of one request of a check, each hashed twice: on the free plan an invocation has 10 ms of processor time. */
const CHECKED = { free: 1000, paid: 50_000 };

/**
 * Checks the chain from its beginning, or after the entry with this id, up to `next`, from where the caller continues. An entry
 * that does not match is taken as it is stored, and what follows it is checked.
 * `copies`: the heads in copies of the last year, which no one with the database alone can change. The entries after them are
 * too young to be deleted, so that the chain must not begin later. `until`: the head of a restored copy.
 * @throws `unauthenticated`, `forbidden`
 */
export async function checkLog(
  ctx: Context,
  { after, copies = [], until }: { after?: number; copies?: LogHead[]; until?: LogHead } = {},
): Promise<LogCheck> {
  requireCapability("settings", ctx);
  const { head: newest, base } = await readHead(ctx);
  const head = until ?? newest;
  const start = after === undefined ? base : await entryAt(ctx, after);
  const faults: LogFault[] = [];
  const counts = { checked: 0, erased: 0 };
  const result = (next: number | null): LogCheck => ({
    ...addLogChecks(NOTHING_CHECKED, { ...counts, faults, more: 0, copies: copies.length }),
    next,
  });
  if (!start) {
    // Nothing says what the next entry has to follow.
    faults.push({ id: after!, is: "missing" });
    return result(null);
  }
  // A copy's entry is this one or comes between it and the one before it, where no other may be.
  const isOther = ({ id, hash }: LogHead, previous: number) =>
    copies.some((copy) => copy.id > previous && copy.id <= id && (copy.id !== id || copy.hash !== hash));
  if (after === undefined && isOther(base, -1)) faults.push({ id: base.id, is: "other than a copy" });
  let before = start;
  for (let read = 0; read < CHECKED[ctx.config.plan];) {
    const entries = (await entriesAfter(ctx, before.id)).filter(({ id }) => id <= head.id);
    for (const entry of entries) {
      // One without a hash was inserted: the next may follow the one before it.
      const present = { id: entry.id, hash: entry.hash ?? before.hash };
      const is = faultOf(entry, before.hash) ?? (isOther(present, before.id) ? "other than a copy" : null);
      if (is) faults.push({ id: entry.id, is });
      else counts.checked++;
      if (!is && entry.salt === null) counts.erased++;
      before = present;
    }
    read += entries.length;
    if (entries.length < SLICE) {
      const isCut = before.id !== head.id || before.hash !== head.hash;
      const isBehindCopy = copies.some(({ id }) => id > head.id);
      if (isCut || isBehindCopy) faults.push({ id: before.id, is: "end missing" });
      return result(null);
    }
  }
  return result(before.id);
}

/** Why an entry does not match; null if it does. */
function faultOf(entry: Entry, before: string) {
  const { salt, personalHash: personal, hash } = entry;
  if (personal === null || hash !== entryHash(before, entry, personal)) return "unlinked" as const;
  const isAsWritten = salt === null ? isErased(entry) : personal === personalHash(entry, salt);
  return isAsWritten ? null : ("changed" as const);
}

/** Whether an entry without a salt is as `eraseEntries` leaves it. */
const isErased = (entry: Entry) =>
  STRANGERS.includes(entry.kind) &&
  Object.entries(ERASED).every(([name, value]) => entry[name as keyof Entry] === value);

async function entryAt({ db }: Context, id: number): Promise<LogHead | null> {
  const [row] = await db
    .select({ id: securityEvents.id, hash: securityEvents.hash })
    .from(securityEvents)
    .where(eq(securityEvents.id, id));
  return row ? { id: row.id, hash: row.hash ?? "" } : null;
}

/** What an erased entry has in place of the personal data. Its hashes stay, and so does the chain. */
const ERASED = { email: "", by: null, address: "", userAgent: "", detail: null, salt: null };

const areStrangers = inArray(securityEvents.kind, STRANGERS);

const eraseEntries = ({ db }: Pick<Context, "db">, which: SQL) =>
  db
    .update(securityEvents)
    .set(ERASED)
    .where(sql`${which} and (${securityEvents.email} <> '' or ${securityEvents.address} <> '')`);

/** The statement that erases what someone without an account has caused with an address. */
export const eraseLogOf = (ctx: Pick<Context, "db">, email: string) =>
  eraseEntries(ctx, sql`${areStrangers} and ${securityEvents.email} = ${email} and not ${hasAccount(email)}`);

/** Daily: erases what strangers caused after 30 days, and deletes entries in the night after they are a year old. */
export async function pruneEvents(ctx: Context) {
  const past = new Date(ctx.now.getTime() - STRANGERS_RETENTION);
  await eraseEntries(ctx, sql`${areStrangers} and ${lt(securityEvents.at, past)}`);
  await pruneLog(ctx);
}

/**
 * Lets the chain begin with the first entry that is younger than a year. Those before it are deleted in the next night: a copy,
 * an archive or a check that has read where the chain begins finds all that follows.
 */
async function pruneLog(ctx: Context) {
  const past = ctx.now.getTime() - RETENTION;
  await runTogether(ctx, [
    sql`delete from ${securityEvents} where id <= (select pruned_id from ${logChain})`,
    sql`update ${logChain} set pruned_id = old.id, pruned_hash = old.hash from (
        select id, hash from ${securityEvents} where hash is not null and id < coalesce(
          (select id from ${securityEvents} where at >= ${past} order by id limit 1),
          (select last_id + 1 from ${logChain}))
        order by id desc limit 1
      ) as old where old.id > pruned_id`,
  ]);
}
