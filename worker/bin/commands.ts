import { getTableColumns, getTableName, lte, sql, type SQL } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRowIf } from "#worker/accounts/audit-log.ts";
import { binCapabilities, itemOfKey, kindOfKey } from "#worker/bin/contract.ts";
import { columnsOf, type BinPart } from "#worker/bin/facet.ts";
import { forgetBeside } from "#worker/bin/forget-beside.ts";
import { facetOf } from "#worker/bin/move-to-bin.ts";
import { BIN_MS } from "#worker/bin/queries.ts";
import { noteErased } from "#worker/bin/note-erased.ts";
import { bin, storedColumnsOf } from "#worker/bin/table.ts";
import { nouns } from "#worker/nouns/list.ts";
import type { Noun, Statement } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refusingBroken } from "#worker/platform/data/publishing.ts";
import { feedChanged } from "#worker/publications/record-publication.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { renderAgain } from "#worker/rendering/positions.ts";

/**
 * Restores an item with all that belonged to it, in the state that it had. One whose scheduled time has passed becomes a
 * draft: it would be published within a minute.
 * @throws `unauthenticated`, `forbidden`; `not_found` if it is not in the bin; `conflict` if another item has taken its
 * place
 */
export async function restoreItem(ctx: Context, key: string) {
  const noun = requireNoun(ctx, key);
  const { parts } = facetOf(noun);
  const item = itemOfKey(key);
  // A repeated restoration expires nothing.
  const isIt = sql`${parts[0]!.of(item)} and exists (select 1 from ${bin} where ${bin.key} = ${key})`;
  const news = noun.inFeed && feedChanged(ctx, noun.inFeed(isIt));
  const remove = ctx.db
    .delete(bin)
    .where(sql`${bin.key} = ${key}`)
    .returning({ key: bin.key });
  const statements = [
    ...parts.map((part) => putBack(ctx, part, key)),
    ...passesOf(noun).map((pass) =>
      renderAgain(
        ctx,
        pass,
        Number(item),
        sql`(select ${bin.renderer} from ${bin} where ${bin.key} = ${key})`,
      ),
    ),
    ...(noun.changed?.(ctx, isIt) ?? []),
    ...parts.flatMap((part) => part.changed?.(ctx, item) ?? []),
    ...(news?.statements ?? []),
    remove,
  ];
  const results = (await refusingBroken("UNIQUE constraint failed", isReplaced, () =>
    ctx.db.batch(statements as unknown as [typeof remove]),
  )) as unknown[][];
  if (results.at(-1)!.length === 0) throw notInBin();
  news?.enqueue();
}

/** As an article that was imported again from LinkedIn. */
const isReplaced = () =>
  new AppError(
    "conflict",
    "The same was imported or created again since. Delete that one first, then restore this.",
  );

function requireNoun(ctx: Context, key: string) {
  requireCapability("edit", ctx);
  const noun = nounOf(key);
  if (!noun) throw notInBin();
  requireCapability(binCapabilities[facetOf(noun).kind], ctx);
  return noun;
}

const nounOf = (key: string) => nouns.find((noun) => noun.bin?.kind === kindOfKey(key));

const notInBin = () => new AppError("not_found", "This is no longer in the bin.");

function putBack({ db, now }: Context, part: BinPart, key: string) {
  const { table, binned, restoredIf, onTaken } = part;
  const former = columnsOf(binned);
  const values: Record<string, SQL> = {
    ...former,
    ...asDraftIfDue(table, former, now),
    ...part.restored?.(former),
  };
  const columns = storedColumnsOf(table).map(([name]) => values[name]!);
  const insert = db.insert(table).select(
    sql`select ${sql.join(columns, sql`, `)} from ${binned} inner join ${bin} on ${bin.id} = ${former.binId!}
      where ${bin.key} = ${key} and ${restoredIf?.(former) ?? sql`true`}`,
  );
  if (onTaken === undefined) return insert;
  return onTaken === "keep the other" ? insert.onConflictDoNothing() : insert.onConflictDoUpdate(onTaken);
}

/** No second form saves it: another item may have been made with the key since. */
function asDraftIfDue(table: BinPart["table"], former: Record<string, SQL>, now: Date) {
  const { draftKey, scheduledFor, status } = getTableColumns(table);
  const isDue = sql`(${former.status} = 'scheduled' and ${former.scheduledFor} <= ${now.getTime()})`;
  return {
    ...(draftKey && { draftKey: sql`null` }),
    ...(scheduledFor &&
      status && {
        status: sql`iif(${isDue}, 'draft', ${former.status})`,
        scheduledFor: sql`iif(${isDue}, null, ${former.scheduledFor})`,
      }),
  };
}

/** The names of the passes that render its stored HTML. */
const passesOf = ({ files, text, otherTexts = {} }: Noun) => [
  ...(text && files ? [files.kind] : []),
  ...Object.keys(otherTexts),
];

/**
 * Deletes an item in the bin for good. Of a user it is logged as a security event, by its key: a title may have a person's name.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found` if it is not in the bin
 */
export async function eraseItem(ctx: Context, key: string) {
  requireNoun(ctx, key);
  requireRecentProof(ctx);
  const event = { kind: "item_erased", email: actorEmail(ctx), detail: key } as const;
  const isInBin = sql`exists (select 1 from ${bin} where ${bin.key} = ${key})`;
  // A job undoes an import, whose event is that of its beginning.
  const events = ctx.actor.kind === "user" ? [eventRowIf(ctx, event, isInBin)] : [];
  if ((await erase(ctx, [key], events)) === 0) throw notInBin();
}

/** Maximum items of a run. */
const MOST = 500;

/**
 * Daily: deletes for good what has been in the bin for 30 days.
 * @throws `unauthenticated`, `forbidden`
 */
export async function pruneBin(ctx: Context) {
  requireCapability("edit", ctx);
  const old = await ctx.db
    .select({ key: bin.key })
    .from(bin)
    .where(lte(bin.deletedAt, new Date(ctx.now.getTime() - BIN_MS)))
    .orderBy(bin.deletedAt)
    .limit(MOST);
  await erase(
    ctx,
    old.map(({ key }) => key),
  );
}

/** Returns how many were in the bin. `first`: statements of the batch that read the bin as it was. */
async function erase(ctx: Context, keys: string[], first: Statement[] = []) {
  const asked = sql`${bin.key} in (select value from json_each(${JSON.stringify(keys)}))`;
  const concerned = nouns.filter((noun) => noun.bin && keys.some((key) => nounOf(key) === noun));
  const releases = concerned.flatMap((noun) => facetOf(noun).release?.(ctx, itemsOf(noun, asked)) ?? []);
  const remove = ctx.db.delete(bin).where(asked).returning({ key: bin.key });
  const statements = [
    ...first,
    ...releases.map(({ statement }) => statement),
    ...concerned.flatMap((noun) => forget(ctx, noun, asked)),
    remove,
  ];
  const results = (await ctx.db.batch(statements as unknown as [typeof remove])) as unknown[][];
  for (const { finish } of releases) await afterWrite("bin: objects were not deleted", finish());
  return results.at(-1)!.length;
}

function itemsOf(noun: Noun, asked: SQL) {
  const { kind } = facetOf(noun);
  return sql`select substr(${bin.key}, ${kind.length + 2}) as item from ${bin} where ${bin.kind} = ${kind} and ${asked}`;
}

/** The statements that delete what stayed in its tables, and note that the items were erased. */
const forget = (ctx: Context, noun: Noun, asked: SQL): Statement[] => [
  noteErased(ctx, getTableName(noun.table), itemsOf(noun, asked)),
  ...forgetBeside(ctx, noun, itemsOf(noun, asked)),
];
