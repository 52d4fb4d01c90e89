import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import type { RevisionKind } from "#worker/revisions/contract.ts";
import { digestOf, fileIdsOf, hasLostWords, isSame } from "#worker/revisions/digest.ts";
import { pack } from "#worker/revisions/packed.ts";
import { revisions } from "#worker/revisions/table.ts";

/** Maximum stored versions per item; older ones are deleted. */
export const MAX_REVISIONS = 200;
/** Milliseconds within which autosaves of one user become one version. */
const MERGE_MS = 10 * 60_000;

type Version = {
  values: object;
  isAutomatic?: boolean;
  /** When the restored version was saved. */
  restoredFrom?: Date;
};

type Change = Version & {
  kind: RevisionKind;
  item: string | number;
  /** The current values and their time; stored as a version if there is none yet. Absent for a new item. */
  before?: { values: object; savedAt: Date };
};

/**
 * The statements that store a write's values as a version: `batch([...more, write, ...await recordChange(…)])`. They
 * must directly follow that write, and do nothing if it changed no row. Of one user's autosaves within ten minutes only
 * the last is stored, unless it lost much of the text.
 */
export async function recordChange(ctx: Context, { kind, item, before, ...version }: Change) {
  const ofItem = isItem(kind, String(item));
  const [newest] = await ctx.db
    .select({
      id: revisions.id,
      userId: revisions.userId,
      isAutomatic: revisions.isAutomatic,
      startedAt: revisions.startedAt,
      digest: revisions.digest,
    })
    .from(revisions)
    .where(ofItem)
    .orderBy(desc(revisions.id))
    .limit(1);
  const row = rowOf(ctx, kind, version);
  // A derived slug is in no version, so the first chosen one differs from none.
  const slug = slugIn(version.values);
  const isRenamed = before !== undefined && slug !== undefined && slug !== slugIn(before.values);
  const isRepeated = newest !== undefined && !isRenamed && isSame(newest.digest, row.digest);
  const isContinued =
    newest !== undefined &&
    newest.isAutomatic &&
    newest.userId === row.userId &&
    !hasLostWords(newest.digest, row.digest);
  const isRecent = newest !== undefined && ctx.now.getTime() - newest.startedAt.getTime() < MERGE_MS;
  const oldest = ctx.db
    .select({ id: revisions.id })
    .from(revisions)
    .where(ofItem)
    .orderBy(desc(revisions.id))
    .limit(1)
    .offset(MAX_REVISIONS);
  const prune = ctx.db.delete(revisions).where(and(ofItem, sql`${revisions.id} <= (${oldest})`));
  if (newest && (isRepeated || (isContinued && isRecent && row.isAutomatic))) {
    const { digest, fileIds, packed, savedAt, isAutomatic } = row;
    const replace = ctx.db
      .update(revisions)
      // A repeated version may differ in whether the slug was chosen.
      .set({ digest, fileIds, packed, ...(isContinued && { savedAt, isAutomatic }) })
      .where(and(eq(revisions.id, newest.id), sql`changes() > 0`));
    return [replace, prune] as const;
  }
  const former = newest === undefined && before ? [formerRow(ctx, kind, before)] : [];
  const rows = [...former, row];
  return [insertRows(ctx, sql`${String(item)}`, rows, sql`changes() > 0`), prune] as const;
}

const slugIn = (values: object) => ("slug" in values ? values.slug : undefined);

/** The same for a new item, whose id `item` selects. */
export const recordCreation = (
  ctx: Context,
  { kind, item, ...version }: Version & { kind: RevisionKind; item: SQL },
) => insertRows(ctx, item, [rowOf(ctx, kind, version)], sql`true`);

/** The statement that deletes the versions of items, for the batch that deletes these for good. `items` selects their ids. */
export const forgetRevisions = ({ db }: Context, kind: RevisionKind, items: SQL) =>
  db.delete(revisions).where(and(eq(revisions.kind, kind), sql`${revisions.item} in (${items})`));

export const isItem = (kind: RevisionKind, item: string) =>
  and(eq(revisions.kind, kind), eq(revisions.item, item));

type Row = Omit<typeof revisions.$inferSelect, "id" | "item">;

function rowOf({ actor, now }: Context, kind: RevisionKind, version: Version): Row {
  const { values, isAutomatic = false, restoredFrom = null } = version;
  const user = actor.kind === "user" ? actor : null;
  return {
    kind,
    userId: user?.id ?? null,
    userName: user?.fullName ?? null,
    isAutomatic,
    restoredFrom,
    startedAt: now,
    savedAt: now,
    ...contentOf(values),
  };
}

function formerRow(
  ctx: Context,
  kind: RevisionKind,
  { values, savedAt }: NonNullable<Change["before"]>,
): Row {
  const row = rowOf(ctx, kind, { values });
  return { ...row, userId: null, userName: null, startedAt: savedAt, savedAt };
}

function contentOf(values: object) {
  // Once: a transcript is long.
  const json = JSON.stringify(values);
  return { digest: digestOf(values), fileIds: fileIdsOf(values, json), packed: pack(json) };
}

/** As JSON in one parameter, so that it is a valid statement without rows, too. */
function insertRows({ db }: Context, item: SQL, rows: Row[], condition: SQL) {
  const json = rows.map((row) => ({
    ...row,
    restoredFrom: row.restoredFrom?.getTime() ?? null,
    startedAt: row.startedAt.getTime(),
    savedAt: row.savedAt.getTime(),
  }));
  return db.insert(revisions).select(
    sql`select null, value ->> 'kind', ${item}, value ->> 'userId', value ->> 'userName', value ->> 'isAutomatic',
      value ->> 'restoredFrom', value ->> 'startedAt', value ->> 'savedAt', value -> 'digest', value -> 'fileIds',
      value ->> 'packed' from json_each(${JSON.stringify(json)}) where ${condition}`,
  );
}
