import { requireCapability } from "#worker/access/capabilities.ts";
import { copyStages } from "#worker/backups/copy.ts";
import { drillStages } from "#worker/backups/drill.ts";
import { copyOldMail, drillFailedMail, drillLateMail } from "#worker/backups/mails.ts";
import { beginStatement, continueRuns, hasCopy, type Runs } from "#worker/backups/runs.ts";
import { newestOf, readBackups } from "#worker/backups/queries.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue, outboxRow } from "#worker/platform/work/outbox.ts";

/** The pass of the minute's cron (worker/jobs.ts) that continues copies and drills. */
export const BACKUPS_PASS = "backups";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A night's copy is not made twice, and an hour's change of the clocks makes no difference. */
const NIGHT_MS = 12 * HOUR_MS;

const DAY_MS = 24 * HOUR_MS;
/** A drill is made every seven days; the daily cron may be an hour early. */
const WEEK_MS = 6.5 * DAY_MS;

const runs: Runs = {
  copy: { stages: copyStages },
  drill: { stages: drillStages, failureMail: drillFailedMail },
};

/**
 * Continues a copy or drill that waits (runs.ts).
 * @throws `unauthenticated`, `forbidden`
 */
export const continueBackups = (ctx: Context) => continueRuns(ctx, runs);

/**
 * Begins the night's copy, if there is a bucket for it. Repeating it does nothing.
 * @throws `unauthenticated`, `forbidden`
 */
export async function beginNightlyCopy(ctx: Context) {
  requireCapability("settings", ctx);
  if (ctx.backup) await beginStatement(ctx, "copy", NIGHT_MS);
}

/**
 * Begins the week's drill, if there is a database for it and a copy. Repeating it does nothing.
 * @throws `unauthenticated`, `forbidden`
 */
export async function beginWeeklyDrill(ctx: Context) {
  requireCapability("settings", ctx);
  if (ctx.backup && ctx.drill && (await hasCopy(ctx))) await beginStatement(ctx, "drill", WEEK_MS);
}

/**
 * Writes to the owner, once for each copy and drill, if the newest copy is older than two days, or no drill has ended
 * for ten.
 * @throws `unauthenticated`, `forbidden`
 */
export async function watchBackups(ctx: Context) {
  const { problems, copy } = await readBackups(ctx);
  if (problems.includes("copy-old"))
    await mailOnce(ctx, `copy-old-${await newestOf(ctx, "copy", ["done"])}`, copyOldMail(ctx, copy?.problem));
  if (problems.includes("drill-late"))
    await mailOnce(ctx, `drill-late-${await newestOf(ctx, "drill", ["done", "failed"])}`, drillLateMail(ctx));
}

async function mailOnce(ctx: Context, id: string, mail: Promise<Mail>) {
  const { statement } = outboxRow(ctx, MAIL_TOPIC, await mail, { id });
  await statement.onConflictDoNothing();
  enqueue(ctx, id);
}

/**
 * Begins a copy. Does nothing if one is being made.
 * @throws `unauthenticated`, `forbidden`; `conflict` without a bucket
 */
export async function copyNow(ctx: Context) {
  requireCapability("settings", ctx);
  if (!ctx.backup) throw new AppError("conflict", NO_BUCKET);
  await beginStatement(ctx, "copy");
  continueSoon(ctx);
}

/**
 * Begins a drill. Does nothing if one runs.
 * @throws `unauthenticated`, `forbidden`; `conflict` without a bucket, a database for it, or a copy
 */
export async function drillNow(ctx: Context) {
  requireCapability("settings", ctx);
  if (!ctx.backup) throw new AppError("conflict", NO_BUCKET);
  if (!ctx.drill) throw new AppError("conflict", NO_DATABASE);
  if (!(await hasCopy(ctx))) throw new AppError("conflict", "There is no copy yet. Press Copy now first.");
  await beginStatement(ctx, "drill");
  continueSoon(ctx);
}

/** Begins before the next tick, which would begin it otherwise. */
function continueSoon(ctx: Context) {
  const until = ctx.clock().getTime() + MINUTE_MS;
  const sent = ctx.jobs.sendBatch([{ body: { kind: "tick", id: BACKUPS_PASS, until } }]);
  ctx.later(sent);
}

const NO_DATABASE =
  "There is no database for drills. Run npm run deploy, and answer yes when it asks for copies.";
const NO_BUCKET =
  "There is no bucket for copies. Run npm run deploy, and answer yes when it asks for copies.";
