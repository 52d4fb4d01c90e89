import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { throwUnless } from "#worker/accounts/audit-log.ts";
import { draftScheduledArticles } from "#worker/articles/draft-scheduled.ts";
import { draftScheduledEpisodes } from "#worker/episodes/draft-scheduled.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { isUnfinished } from "#worker/imports/unfinished.ts";
import { draftScheduledLetters } from "#worker/letters/draft-scheduled.ts";
import type { Context } from "#worker/platform/context.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { runTogether } from "#worker/platform/data/raw-batch.ts";
import { AppError } from "#worker/platform/errors.ts";
import { eraseSince } from "#worker/restores/erased-since.ts";
import { deleteOldStaged, deleteStaged, listStaged, markHalfRestored } from "#worker/restores/staging.ts";

const CUT =
  "The restore of this site was cancelled, so subscribers may be missing: check before you schedule this letter again.";

/**
 * With the cancellation of a restore: what is scheduled becomes a draft, since a due letter would go to those subscribers
 * that are there, and what visitors were answered until now expires.
 */
export function cutRestore(ctx: Context, isEnding: SQL): BatchItem<"sqlite">[] {
  return [
    draftScheduledLetters(ctx, CUT, isEnding),
    draftScheduledEpisodes(ctx, isEnding),
    draftScheduledArticles(ctx, isEnding),
    expireAnswers(ctx, isEnding),
  ];
}

/** Tags of answers that an empty site gave. */
const TAGS = [
  "articles",
  "campaigns",
  "engagements",
  "episodes",
  "hub",
  "letters",
  "pages",
  "people",
  "pictures",
  "press",
  "search",
  "show",
  "site",
  "social",
  "ventures",
];

/** The statement that expires the answers which were cached during a restore, if `isEnding`. */
export function expireAnswers(ctx: Context, isEnding = sql`true`) {
  const tags = sql`select tag from cache_tags union select value from json_each(${JSON.stringify(TAGS)})
    union select 'episode:' || id from episodes union select 'article:' || slug from articles`;
  return changed(ctx, sql`select tag from (${tags}) where ${isEnding}`);
}

/**
 * After a restore was cancelled or deleted: its files stay for another restore. Erases what was erased before from the rows
 * that it has written, and deletes its pieces, last, so that the daily clean-up finds one that was interrupted.
 */
export async function endRestore(ctx: Context, { id, state, startedAt }: ImportProgress, isCut: boolean) {
  if (startedAt !== null && state !== "done") {
    // For as long from now on. The first step has set the mark.
    if (isCut) await markHalfRestored(ctx);
    await eraseSince(ctx);
  }
  await deleteStaged(ctx, id);
}

/**
 * Writes a piece, unless the restore has ended since its step began: its rows would come after the erasure.
 * @throws `conflict`
 */
export async function writeUnlessEnded(ctx: Context, id: number, statements: readonly SQL[]) {
  const condition = sql`insert into security_events (at, kind, email, address, user_agent)
    select 0, null, '', '', '' where not ${isUnfinished(id)}`;
  const ended = () => new AppError("conflict", "This restore has ended.");
  await throwUnless(ended, () => runTogether(ctx, [condition, ...statements]));
}

/** Daily: deletes the pieces of restores that were left, and ends those whose end was interrupted. */
export async function pruneStaged(ctx: Context) {
  const staged = await listStaged(ctx);
  const ended = await findEnded(ctx, staged);
  if (ended.length > 0) await eraseSince(ctx);
  for (const id of ended) await deleteStaged(ctx, id);
  await deleteOldStaged(ctx);
}

async function findEnded({ db }: Context, ids: number[]) {
  if (ids.length === 0) return [];
  const rows = await db.all<{ id: number }>(
    sql`select value as id from json_each(${JSON.stringify(ids)}) where not ${isUnfinished(sql`value`)}`,
  );
  return rows.map(({ id }) => id);
}
