import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { RunKind } from "#worker/backups/contract.ts";
import { Damage } from "#worker/backups/store.ts";
import { backupRuns } from "#worker/backups/table.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { describeError, logError } from "#worker/platform/log.ts";
import {
  claimRows,
  hasLapsed,
  isDue,
  isFree,
  isHeld,
  nextTry,
  renewed,
  whileRenewed,
  type Work,
} from "#worker/platform/work/leases.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";

/** Runs are claimed, worked on step by step, and finished. A run that was interrupted repeats one step. */
const work: Work = {
  name: "backups",
  table: backupRuns,
  isWaiting: sql`${backupRuns.state} = 'waiting'`,
  isClaimed: sql`${backupRuns.state} = 'working'`,
  lapsesAt: "notBefore",
  // Without a finished step, for a quarter of an hour.
  maxAttempts: 5,
};

export type Run = typeof backupRuns.$inferSelect;
type Held = Run & { claim: string };

/** The stage of a finished run. Its position is then its report. */
export const DONE = "done";

/** Where a run continues. */
export type Next = { stage: string; position: unknown; copy?: string };

/** Repeating a step must do no harm: what was saved last counts. */
export type Step = (ctx: Context, run: Run) => Promise<Next>;

/** What to do with each kind of run. */
export type Runs = Partial<Record<RunKind, RunOf>>;

type RunOf = {
  stages: Record<string, Step>;
  /** The email to the owner when it has failed. */
  failureMail?: (ctx: Context, run: Run, problem: string) => Promise<Mail>;
};

/** Milliseconds for which an invocation of the paid plan works, and the steps that it takes at most. */
const SLICE_MS = 20_000;
const SLICE_STEPS = 100;

/** Whether a run waits for its next step now, which may have been saved since the message began. */
export async function hasDueRun(ctx: Context) {
  if (!ctx.backup) return false;
  const [row] = await ctx.db
    .select({ id: backupRuns.id })
    .from(backupRuns)
    .where(isFreeNow(ctx.clock()))
    .limit(1);
  return row !== undefined;
}

const isFreeNow = (now: Date) => and(isFree(work, now), sql`${backupRuns.notBefore} <= ${now.getTime()}`);

/**
 * Continues the next run: on the free plan by one step, otherwise by as many as a tick has time for. Returns false if
 * there was nothing to do.
 * @throws `unauthenticated`, `forbidden`
 */
export async function continueRuns(ctx: Context, runs: Runs) {
  requireCapability("settings", ctx);
  if (!ctx.backup) return false;
  const run = await claimNext(ctx);
  if (!run) return false;
  await whileRenewed(ctx, work, heldBy(run), () => workOn(ctx, run, runs));
  return true;
}

const heldBy = ({ claim, id }: Held) => ({ claim, ids: [id] });

async function claimNext(ctx: Context): Promise<Held | null> {
  const { claim, rows } = await claimRows(ctx, work, {
    which: (now) =>
      and(
        isFree(work, now),
        sql`${backupRuns.id} = ${ctx.db
          .select({ id: backupRuns.id })
          .from(backupRuns)
          .where(sql`${isDue(work, now)} or ${hasLapsed(work, now)}`)
          .orderBy(asc(backupRuns.id))
          .limit(1)}`,
      ),
    set: () => ({ state: "working" }),
    returning: getTableColumns(backupRuns),
  });
  const [row] = rows;
  return row ? { ...row, claim } : null;
}

async function workOn(ctx: Context, claimed: Held, runs: Runs) {
  const { stages, failureMail } = runs[claimed.kind]!;
  const until = ctx.clock().getTime() + SLICE_MS;
  let run = claimed;
  try {
    // Each attempt claimed it once, and none finished its step.
    if (run.attempts > work.maxAttempts) throw new Damage(INTERRUPTED);
    for (let left = ctx.config.plan === "free" ? 1 : SLICE_STEPS; ;) {
      const next = await stages[run.stage]!(ctx, run);
      const isPaused = --left === 0 || ctx.clock().getTime() > until;
      if (!(await save(ctx, run, next, isPaused))) return;
      if (next.stage === DONE || isPaused) return;
      run = { ...run, ...next, attempts: 0 };
    }
  } catch (error) {
    await release(ctx, run, error, failureMail);
  }
}

const INTERRUPTED = "It was interrupted at every attempt.";
const OUR_FAULT = "Something went wrong on this site";

/** Saves a finished step; false if another consumer has the run. */
async function save({ db, clock }: Context, run: Held, next: Next, isPaused: boolean) {
  const now = clock();
  const state =
    next.stage === DONE
      ? { state: "done" as const, finishedAt: now }
      : isPaused
        ? { state: "waiting" as const, notBefore: now }
        : renewed(work, now);
  const held = await db
    .update(backupRuns)
    .set({ ...next, ...state, attempts: 0, problem: null })
    .where(isHeld(work, heldBy(run)))
    .returning({ id: backupRuns.id });
  return held.length > 0;
}

/** Has the step repeated later. Damage, and the last attempt, fail the run. */
async function release(ctx: Context, run: Held, error: unknown, failureMail: RunOf["failureMail"]) {
  logError(`backups: ${run.kind} ${run.id} failed at "${run.stage}", attempt ${run.attempts}`, error);
  const now = ctx.clock();
  const isHeldNow = isHeld(work, heldBy(run));
  const problem =
    error instanceof Damage ? error.message : `${OUR_FAULT}: ${describeError(error)}`.slice(0, 500);
  const wait = isOverDailyLimit(error) ? untilNextDay(now) : undefined;
  const attempts = wait === undefined ? run.attempts : run.attempts - 1;
  const notBefore = error instanceof Damage ? null : nextTry(work, attempts, now, wait);
  if (notBefore) {
    await ctx.db.update(backupRuns).set({ state: "waiting", notBefore, attempts, problem }).where(isHeldNow);
    return;
  }
  const fail = ctx.db.update(backupRuns).set({ state: "failed", finishedAt: now, problem }).where(isHeldNow);
  if (!failureMail) return fail;
  const isStillHeld = sql`exists ${ctx.db.select({ id: backupRuns.id }).from(backupRuns).where(isHeldNow)}`;
  const mail = outboxRowIf(ctx, MAIL_TOPIC, await failureMail(ctx, run, problem), isStillHeld);
  await ctx.db.batch([mail.statement, fail]);
  enqueue(ctx, mail.id);
}

/** Whether a copy was ever finished. */
export async function hasCopy({ db }: Context) {
  const [row] = await db
    .select({ id: backupRuns.id })
    .from(backupRuns)
    .where(and(eq(backupRuns.kind, "copy"), eq(backupRuns.state, "done")))
    .limit(1);
  return row !== undefined;
}

/**
 * The statement that begins a run unless one of its kind is open, or was begun within `apartMs` of now, on either side:
 * a clock that was wrong once must not prevent it for long.
 */
export function beginStatement({ db, now }: Context, kind: RunKind, apartMs = 0) {
  const time = now.getTime();
  const isNear = and(eq(backupRuns.kind, kind), sql`abs(${backupRuns.startedAt} - ${time}) < ${apartMs}`);
  return db
    .insert(backupRuns)
    .select(
      sql`select null, ${kind}, null, 'waiting', null, null, ${time}, 0, ${time}, null, 'begin', '{}'
        where not exists ${db.select({ id: backupRuns.id }).from(backupRuns).where(isNear)}`,
    )
    .onConflictDoNothing()
    .returning({ id: backupRuns.id });
}
