import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { recordEvents } from "#worker/analytics/commands.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import type { AnalyticsEvent, EventsInput, EventType } from "#worker/analytics/contract.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { jobContext, visitorContext } from "./client.ts";

export const DAY = 86_400_000;
/** The quarter-hour at noon of a UTC day. */
export const noonOf = (day: number) => day * 96 + 48;
export const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** Sends collected messages immediately, so that no test waits for them. */
export const sendAtOnce = () => void vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);

let count = 0;
/** An IP address that no other test uses. */
export const anAddress = () => `10.${(++count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;

const extras: Record<EventType, object> = {
  page_view: {},
  reading_time: { readingTime: 40 },
  engagement: { action: "share" },
  scroll_depth: { scrollDepth: 50 },
  time_on_page: { seconds: 30 },
  podcast_play: { seconds: 0 },
  podcast_pause: { seconds: 90 },
  podcast_complete: { seconds: 900 },
  search: {},
  newsletter_signup: { source: "inline_subscribe" },
  social_click: { network: "x" },
};

let moment = 0;

/** A unique event about the front page, unless `metadata` makes it a duplicate. */
export const anEvent = (
  eventType: EventType = "page_view",
  { metadata = {}, ...rest }: Record<string, unknown> & { metadata?: object } = {},
) =>
  ({
    eventType,
    contentType: "page",
    contentId: "/",
    userId: null,
    sessionId: "a-session",
    metadata: { timestamp: ++moment, ...extras[eventType], ...metadata },
    ...rest,
  }) as AnalyticsEvent;

type Visit = Partial<Client> & { now?: Date; isOptedOut?: boolean; actor?: Context["actor"] };

/** The messages that a request with these events puts on the queue. */
export async function queued(
  events: unknown[],
  { now = new Date(), isOptedOut = false, actor, ...client }: Visit = {},
) {
  const messages: AnalyticsMessage[] = [];
  const work: Promise<unknown>[] = [];
  const ctx = visitorContext({
    now,
    ...(actor && { actor }),
    client: { address: anAddress(), userAgent: BROWSER, ...client },
    events: { send: async (body: unknown) => void messages.push(body as AnalyticsMessage) } as never,
    later: (promise) => void work.push(promise),
  });
  await recordEvents(ctx, { events } as EventsInput, { isOptedOut });
  // Work may start other work.
  for (const promise of work) await promise;
  return messages;
}

/** Sends and stores events. */
export async function counted(events: unknown[], visit: Visit = {}) {
  const messages = await queued(events, visit);
  await storeMessages(jobContext(), messages);
  return messages;
}

/**
 * Drops what requests of earlier test files left in the isolate's collector. If their sender was cancelled, another
 * takes over after ten seconds.
 */
export const emptyCollector = () =>
  vi.waitFor(async () => expect(await queued([anEvent()], { userAgent: "Googlebot/2.1" })).toHaveLength(1), {
    timeout: 20_000,
    interval: 500,
  });

/**
 * Runs the migration's own update for days that a test has inserted directly: fills in the running totals up to the end
 * of each day.
 */
export function fillSoFar() {
  const { MIGRATIONS } = env as unknown as { MIGRATIONS: D1Migration[] };
  const update = MIGRATIONS.find(({ name }) => name.endsWith("_so_far.sql"))!;
  const statements = update.queries.filter((query) => query.includes("UPDATE"));
  return env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

/** The key of an episode's recording in R2. */
export async function audioKeyOf(episodeId: number) {
  const key = await env.DB.prepare(
    "select key from files where id = (select audio_file_id from episodes where id = ?)",
  )
    .bind(episodeId)
    .first<string>("key");
  return key!;
}

type Downloads = { quarter: number; listeners: string[] };

/** The message of full downloads of a recording in a quarter-hour, each by a listener with a separate address. */
export function downloadsOf(file: string, { quarter, listeners }: Downloads): AnalyticsMessage {
  const parts = listeners.map((listener) => ({
    file,
    network: listener,
    listener,
    first: 0,
    last: 1e9,
    app: "Overcast",
    device: "Phone",
    country: "AU",
  }));
  return { kind: "downloads", id: crypto.randomUUID(), quarter, parts, rejections: [] };
}

/** Stores such downloads. */
export const storeDownloads = (
  file: string,
  { ctx = jobContext(), ...downloads }: Downloads & { ctx?: Context },
) => storeMessages(ctx, [downloadsOf(file, downloads)]);
