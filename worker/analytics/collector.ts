import { appOf, deviceOf, rejectionOf, type Asked } from "#worker/analytics/agents.ts";
import type { RejectionReason } from "#worker/analytics/contract.ts";
import { quarterOf } from "#worker/analytics/days.ts";
import type { DownloadsMessage, Part } from "#worker/analytics/messages.ts";
import { hashesOf, readRules, type Rules } from "#worker/analytics/salts-and-lists.ts";
import { sendOrStore } from "#worker/analytics/store-messages.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Collects audio requests and rejections for a moment, so that an isolate sends one message instead of one per request.
 * Requests share only data; if none is waiting to send, the current one waits and sends. An isolate that stops within
 * that moment loses its data. The message has the time of the sending request.
 */

export type AudioRequest = Asked & {
  /** The object's key in R2. */
  file: string;
  country: string | null;
};

/** Milliseconds for which requests are collected. */
const GATHER_FOR = 250;
/** Milliseconds after which a cancelled sender is replaced. */
const FLAG_LASTS = 10_000;
/** Parts per message: the limit of 128 KB has room for more than twice as many. */
const MAX_PARTS = 200;
/** Maximum buffered requests; a flood beyond is not counted. */
const MAX_NOTED = 20_000;

let noted: AudioRequest[] = [];
/** Number of events from robots. */
let robots = 0;
/** When the waiting sender began; 0 for none. */
let waitingSince = 0;

/** Buffers an answered audio request. */
export function noteAudioRequest(ctx: Context, request: AudioRequest) {
  if (noted.length < MAX_NOTED) noted.push(request);
  sendSoon(ctx);
}

/** Counts events from a robot. */
export function noteRobot(ctx: Context, events: number) {
  robots += events;
  sendSoon(ctx);
}

function sendSoon(ctx: Context) {
  if (waitingSince !== 0 && Date.now() - waitingSince < FLAG_LASTS) return;
  waitingSince = Date.now();
  ctx.later(gatherAndSend(ctx));
}

async function gatherAndSend(ctx: Context) {
  await scheduler.wait(GATHER_FOR);
  // The buffer is emptied only after the rules are read: if that fails, the next sender retries.
  const rules = await readRules(ctx);
  const [requests, refused] = [noted, robots];
  noted = [];
  robots = 0;
  waitingSince = 0;
  for (const message of await messagesOf(ctx, rules, { requests, refused })) {
    await sendOrStore(ctx, message);
  }
}

async function messagesOf(
  { now }: Context,
  rules: Rules,
  { requests, refused }: { requests: AudioRequest[]; refused: number },
) {
  const reasons = new Map<RejectionReason, number>();
  const parts = new Map<string, Part>();
  for (const request of requests) {
    const reason = rejectionOf(request, rules.own);
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else {
      const part = await partOf(request, rules);
      parts.set(`${part.listener} ${part.file} ${part.first}-${part.last}`, part);
    }
  }
  const rejections: DownloadsMessage["rejections"] = [...reasons].map(([reason, count]) => ({
    of: "downloads",
    reason,
    count,
  }));
  if (refused > 0) rejections.push({ of: "events", reason: "robot", count: refused });
  const all = [...parts.values()];
  const messages: DownloadsMessage[] = [];
  for (let from = 0; from === 0 || from < all.length; from += MAX_PARTS) {
    messages.push({
      kind: "downloads",
      id: crypto.randomUUID(),
      quarter: quarterOf(now),
      parts: all.slice(from, from + MAX_PARTS),
      rejections: from === 0 ? rejections : [],
    });
  }
  return messages;
}

async function partOf({ file, first, last, country, ...client }: AudioRequest, rules: Rules): Promise<Part> {
  const { network, visitor } = await hashesOf(rules.downloads, client);
  return {
    file,
    network,
    listener: visitor,
    first,
    last,
    app: appOf(client.userAgent, rules.own),
    device: deviceOf(client.userAgent),
    country: country && /^[A-Z]{2}$/.test(country) ? country : UNKNOWN_COUNTRY,
  };
}

const UNKNOWN_COUNTRY = "XX";
