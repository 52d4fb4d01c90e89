import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { LogHead } from "#worker/accounts/contract.ts";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import type {
  BackupHealth,
  BackupProblem,
  BackupState,
  CopyReport,
  DrillReport,
  RunFacts,
  RunKind,
  RunState,
} from "#worker/backups/contract.ts";
import { copiesAmong, listCopyObjects, readManifest } from "#worker/backups/store.ts";
import { backupRuns } from "#worker/backups/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";

const DAY_MS = 86_400_000;
/** Days after which the newest copy is too old, and after which a drill is overdue. */
const COPY_DAYS = 2;
const DRILL_DAYS = 10;

/**
 * Days: besides the newest copy, the audit log is compared with the oldest of each of these times. The entries after a copy's
 * head become a year old, and are deleted, a year after the copy was begun, which took less than a week.
 */
const COMPARED_DAYS = [7, 30, 358];

/** The heads of the audit log's chain in these copies. A manifest that cannot be read is left out. */
export async function readCopiedLogHeads({ backup, now }: Context): Promise<LogHead[]> {
  if (!backup) return [];
  const warn = (error: unknown) => logWarning("backups: a head of the log was not read", error);
  const copies = copiesAmong((await listCopyObjects(backup).catch(warn)) ?? []);
  const within = (days: number) =>
    copies.filter(({ uploaded }) => uploaded.getTime() >= now.getTime() - days * DAY_MS);
  const compared = COMPARED_DAYS.map(within).flatMap((list) => [list.at(0), list.at(-1)]);
  const names = new Set(compared.flatMap((copy) => copy?.name ?? []));
  const manifests = await Promise.all(Array.from(names, (name) => readManifest(backup, name).catch(warn)));
  return manifests.flatMap((manifest) => manifest?.log ?? []);
}

/** SQL: of each kind the newest run and the newest that succeeded, and the first copy. */
const isShown = (() => {
  const newest = (kind: RunKind, which: SQL) =>
    sql`select max(id) from ${backupRuns} where kind = ${kind} and ${which}`;
  const isDone = sql`state = 'done'`;
  return sql`${backupRuns.id} in (${newest("copy", sql`true`)} union ${newest("copy", isDone)}
    union ${newest("drill", sql`true`)} union ${newest("drill", isDone)}
    union select min(id) from ${backupRuns} where kind = 'copy' and ${isDone})`;
})();

/**
 * The newest copies and drills, for the owner.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readBackups(ctx: Context): Promise<BackupState> {
  requireCapability("settings", ctx);
  const rows = await ctx.db.select().from(backupRuns).where(isShown).orderBy(desc(backupRuns.id));
  const lastOf = (kind: RunKind) => rows.find((row) => row.kind === kind);
  const doneOf = (kind: RunKind) => rows.find((row) => row.kind === kind && row.state === "done");
  const finished = <Report>(row: Row | undefined) =>
    row ? { copy: row.copy ?? "", finishedAt: row.finishedAt!, report: row.position as Report } : null;
  return {
    bucket: ctx.backup !== undefined,
    database: ctx.drill !== undefined,
    copy: factsOf(lastOf("copy")),
    drill: factsOf(lastOf("drill")),
    lastCopy: finished<CopyReport>(doneOf("copy")),
    lastDrill: finished<DrillReport>(doneOf("drill")),
    problems: problemsOf(ctx, rows.map(timesOf)),
  };
}

type Row = typeof backupRuns.$inferSelect;

const factsOf = (row: Row | undefined): RunFacts | null =>
  row
    ? { state: row.state, problem: row.problem, startedAt: row.startedAt, finishedAt: row.finishedAt }
    : null;

/** Milliseconds UTC. */
type Times = Pick<Row, "kind" | "state"> & { started: number; ended: number | null };

const timesOf = ({ kind, state, startedAt, finishedAt }: Row): Times => ({
  kind,
  state,
  started: startedAt.getTime(),
  ended: finishedAt?.getTime() ?? null,
});

/** SQL: the same runs as JSON, for a statement of the desk, which passes them to `backupProblems`. */
export const shownRuns = sql`(select json_group_array(json_object('kind', kind, 'state', state,
    'started', started_at, 'ended', finished_at) order by id desc) from ${backupRuns} where ${isShown})`;

/** What the desk shows of copies. */
export const backupProblems = (ctx: Context, json: string) => problemsOf(ctx, JSON.parse(json) as Times[]);

/** What the owner has to know; none if all is well or nothing is set up. The newest runs come first. */
function problemsOf({ now, backup, drill: database, config }: Context, rows: Times[]): BackupProblem[] {
  const copies = rows.filter(({ kind }) => kind === "copy");
  const [drill, ...drills] = rows.filter(({ kind }) => kind === "drill");
  const [copy] = copies;
  const isDone = ({ state }: Times) => state === "done";
  const isOlder = (row: Times | undefined, days: number) =>
    // In both directions: a time from a wrong clock proves nothing.
    row !== undefined && Math.abs(now.getTime() - (row.ended ?? row.started)) > days * DAY_MS;
  const done = copies.find(isDone);
  // A deployment may lack the bucket by mistake: then the last copy becomes too old as well.
  if (!copy || (!backup && (!done || config.refusesCopies))) return [];
  const isCopyOld = done ? isOlder(done, COPY_DAYS) : copy.state === "failed" || isOlder(copy, COPY_DAYS);
  const problems: BackupProblem[] = isCopyOld ? ["copy-old"] : [];
  if (!backup || !database) return problems;
  if (drill?.state === "failed") problems.push("drill-failed");
  const ended = drill && drill.ended !== null ? drill : drills.find(isDone);
  if (isOlder(ended ?? copies.findLast(isDone), DRILL_DAYS)) problems.push("drill-late");
  return problems;
}

/** For `/api/health`: when the newest copy and drill ended, and what is wrong. Null for all but those who may see it. */
export async function readBackupHealth(ctx: Context): Promise<BackupHealth | null> {
  if (ctx.actor.kind !== "user" || !isAllowed("settings", ctx)) return null;
  const { lastCopy, lastDrill, problems } = await readBackups(ctx);
  return {
    lastCopy: lastCopy?.finishedAt.toISOString() ?? null,
    lastDrill: lastDrill?.finishedAt.toISOString() ?? null,
    problems,
  };
}

/** The id of the newest run of a kind in one of these states; 0 if there is none. */
export async function newestOf({ db }: Context, kind: RunKind, states: RunState[]) {
  const [row] = await db
    .select({ id: backupRuns.id })
    .from(backupRuns)
    .where(and(eq(backupRuns.kind, kind), inArray(backupRuns.state, states)))
    .orderBy(desc(backupRuns.id))
    .limit(1);
  return row?.id ?? 0;
}
