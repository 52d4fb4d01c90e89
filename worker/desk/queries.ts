import { and, desc, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { latestDownloadsOf } from "#worker/analytics/latest-downloads.ts";
import { dayAt } from "#worker/analytics/days.ts";
import { backupProblems, shownRuns } from "#worker/backups/queries.ts";
import {
  COUNTED,
  directoryKeys,
  type Desk,
  type DeskItem,
  type DeskCount,
  type DeskList,
  type DirectoryKey,
  type Failure,
} from "#worker/desk/contract.ts";
import { deskTicks } from "#worker/desk/table.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { nouns } from "#worker/nouns/list.ts";
import type { Context } from "#worker/platform/context.ts";
import { countFailed, listDeadLetters } from "#worker/platform/work/dead-letters.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";
import { DEMO_NAME, sampleNames, type Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * The signed-in user's desk, limited to what they may see, in two statements.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readDesk(ctx: Context): Promise<Desk> {
  requireCapability("edit", ctx);
  const [row, site] = await Promise.all([readRow(ctx), readSite(ctx)]);
  const episodesToCome = listOf(row.episodesScheduled);
  const scheduled = [
    ...listOf(row.articlesScheduled).map((item) => ({ ...item, kind: "article" as const })),
    ...episodesToCome.map((item) => ({ ...item, kind: "episode" as const })),
  ];
  const mayManage = isAllowed("settings", ctx);
  const mayWriteToAudience = isAllowed("audience", ctx);
  return {
    drafts: {
      article: { count: row.articleDrafts, latest: listOf(row.articleDraftsLatest) },
      episode: { count: row.episodeDrafts, latest: listOf(row.episodeDraftsLatest) },
    },
    scheduled: scheduled.toSorted((a, b) => a.at - b.at).slice(0, 3),
    downloads: isAllowed("analytics", ctx)
      ? latestDownloadsOf(row.downloads, dayAt(ctx.now, site.timeZone))
      : null,
    lastEpisode: listOf(row.episodesLatest)[0] ?? null,
    nextEpisode: episodesToCome[0] ?? null,
    rawTranscripts: listOf(row.rawTranscripts),
    stoppedLetters: mayWriteToAudience ? row.stoppedLetters : null,
    heldLetters: mayWriteToAudience ? row.heldLetters : null,
    fromVisitors: mayWriteToAudience
      ? {
          applications: row.applications,
          messages: row.messages,
          bookings: row.bookings,
          comments: row.comments,
        }
      : null,
    failed: mayManage ? { count: Math.min(row.failed, COUNTED) } : null,
    backups: mayManage ? backupProblems(ctx, row.backups) : [],
    firstSteps: mayManage ? firstStepsOf(ctx, row, site) : null,
  };
}

type Row = Record<DeskList | "ticks" | "backups", string> & Record<DeskCount | "failed", number>;

const listOf = (json: string) => JSON.parse(json) as DeskItem[];

function readRow(ctx: Context) {
  const values: Record<string, SQL> = {
    ...Object.assign({}, ...nouns.map((noun) => noun.desk?.(ctx))),
    failed: countFailed(COUNTED),
    backups: shownRuns,
    ticks: sql`(select json_group_array(${deskTicks.name}) from ${deskTicks})`,
  };
  const columns = Object.entries(values).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  return ctx.db.get<Row>(sql`select ${sql.join(columns, sql`, `)}`);
}

function firstStepsOf({ config }: Context, row: Row, site: Site): Desk["firstSteps"] {
  const ticks = JSON.parse(row.ticks) as string[];
  const directories = directoryKeys.filter((key): key is DirectoryKey => ticks.includes(key));
  const steps = {
    name: !sampleNames.includes(site.name),
    artwork: Boolean(row.artwork),
    episode: Boolean(row.episode),
    mail: site.email.fromEmail !== "" || !SAMPLE_SENDER.test(config.mailFrom),
  };
  const isDone =
    Object.values(steps).every((isTicked) => isTicked) && directories.length === directoryKeys.length;
  if (isDone || ticks.includes("dismissed")) return null;
  const shown = {
    name: site.name === DEMO_NAME,
    artwork: Boolean(row.anyArtwork),
    episode: Boolean(row.anyEpisode),
  };
  const examples = (["name", "artwork", "episode"] as const).filter((step) => shown[step] && !steps[step]);
  return { ...steps, directories, examples, feedUrl: config.siteUrl + FEED_PATH };
}

/** The default in wrangler.toml before the first deployment. */
const SAMPLE_SENDER = /@example\.com$/;

/**
 * Whether the owner has dismissed the first steps.
 * @throws `unauthenticated`, `forbidden`
 */
export async function areStepsDismissed(ctx: Context) {
  requireCapability("settings", ctx);
  const [row] = await ctx.db.select().from(deskTicks).where(eq(deskTicks.name, "dismissed"));
  return row !== undefined;
}

const LIST_ROWS = 50;

/**
 * Failed deliveries and messages, the newest few of each.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listFailures(ctx: Context) {
  requireCapability("settings", ctx);
  const isMail = sql`${outbox.topic} = ${MAIL_TOPIC}`;
  const [deliveries, letters] = await Promise.all([
    ctx.db
      .select({
        id: outbox.id,
        topic: outbox.topic,
        attempts: outbox.attempts,
        error: outbox.lastError,
        failedAt: outbox.failedAt,
        to: sql<string | null>`iif(${isMail}, json_extract(${outbox.payload}, '$.to'), null)`,
        subject: sql<string | null>`iif(${isMail},
          json_extract(coalesce(${outboxBodies.content}, ${outbox.payload}), '$.subject'), null)`,
      })
      .from(outbox)
      .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
      .where(and(isNotNull(outbox.failedAt)))
      .orderBy(desc(outbox.failedAt))
      .limit(LIST_ROWS),
    listDeadLetters(ctx, LIST_ROWS),
  ]);
  const failures: Failure[] = [
    ...deliveries.map(({ failedAt, to, subject, ...row }) => ({
      ...row,
      kind: "delivery" as const,
      mail: to === null ? null : { to, subject: subject ?? "" },
      at: failedAt!.getTime(),
    })),
    ...letters.map(({ id, topic, attempts, lastError, arrivedAt }) => ({
      id,
      kind: "message" as const,
      topic,
      mail: null,
      attempts: attempts ?? 0,
      error: lastError,
      at: arrivedAt.getTime(),
    })),
  ];
  return wholeList(failures.toSorted((a, b) => b.at - a.at));
}
