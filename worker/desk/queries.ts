import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { latestDownloads, latestDownloadsOf } from "#worker/analytics/agenda.ts";
import { dayAt } from "#worker/analytics/days.ts";
import { articlesAgenda } from "#worker/articles/agenda.ts";
import { countPending } from "#worker/comments/agenda.ts";
import {
  COUNTED,
  COUNTED_OF_VISITORS,
  directoryKeys,
  type Desk,
  type DeskItem,
  type DirectoryKey,
  type Failure,
  type VisitorKind,
} from "#worker/desk/contract.ts";
import { deskTicks } from "#worker/desk/table.ts";
import { countEnquiries } from "#worker/enquiries/agenda.ts";
import { anyPodcast, episodesAgenda, ownPodcast } from "#worker/episodes/agenda.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { countStopped } from "#worker/letters/agenda.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
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
    stoppedLetters: mayWriteToAudience ? row.stoppedLetters : null,
    fromVisitors: mayWriteToAudience
      ? {
          applications: row.applications,
          messages: row.messages,
          bookings: row.bookings,
          comments: row.comments,
        }
      : null,
    failed: mayManage ? { count: Math.min(row.failed, COUNTED) } : null,
    firstSteps: mayManage ? firstStepsOf(ctx, row, site) : null,
  };
}

type Row = Record<
  | "articleDraftsLatest"
  | "episodeDraftsLatest"
  | "articlesScheduled"
  | "episodesScheduled"
  | "episodesLatest"
  | "downloads"
  | "ticks",
  string
> &
  Record<
    | "articleDrafts"
    | "episodeDrafts"
    | "stoppedLetters"
    | "failed"
    | "artwork"
    | "episode"
    | "anyArtwork"
    | "anyEpisode"
    | VisitorKind,
    number
  >;

const listOf = (json: string) => JSON.parse(json) as DeskItem[];

function readRow(ctx: Context) {
  const articles = articlesAgenda(COUNTED);
  const episodes = episodesAgenda(COUNTED);
  const own = ownPodcast(ctx);
  const any = anyPodcast(ctx);
  return ctx.db.get<Row>(sql`select
    ${articles.draftCount} as articleDrafts, ${articles.drafts} as articleDraftsLatest,
    ${episodes.draftCount} as episodeDrafts, ${episodes.drafts} as episodeDraftsLatest,
    ${articles.scheduled} as articlesScheduled, ${episodes.scheduled} as episodesScheduled,
    ${episodes.latest} as episodesLatest, ${latestDownloads} as downloads, ${countFailed(COUNTED)} as failed,
    ${countStopped(COUNTED)} as stoppedLetters,
    ${own.artwork} as artwork, ${own.episode} as episode,
    ${any.artwork} as anyArtwork, ${any.episode} as anyEpisode,
    ${countEnquiries("application", "pending", COUNTED_OF_VISITORS)} as applications,
    ${countEnquiries("message", "new", COUNTED_OF_VISITORS)} as messages,
    ${countEnquiries("booking", "new", COUNTED_OF_VISITORS)} as bookings,
    ${countPending(COUNTED_OF_VISITORS)} as comments,
    (select json_group_array(${deskTicks.name}) from ${deskTicks}) as ticks`);
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
