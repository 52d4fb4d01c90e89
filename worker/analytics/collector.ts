import { appOf, deviceOf, rejectionOf, type Asked } from "#worker/analytics/agents.ts";
import type { RejectionReason } from "#worker/analytics/contract.ts";
import { quarterOf } from "#worker/analytics/days.ts";
import { sendMessage, type DownloadsMessage, type Part } from "#worker/analytics/messages.ts";
import { hashesOf, readRules, type Rules } from "#worker/analytics/rules.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Requests for audio, and what was refused to be counted, gathered for a moment: one message of an isolate in place of one
 * a request. Only data is shared; the request that finds nobody waiting waits and sends. An isolate that is stopped within
 * that moment loses it. The time is that of the request that sends.
 */

export type AudioRequest = Asked & {
  /** The object's key in R2. */
  file: string;
  country: string | null;
};

/** Milliseconds for which requests are gathered. */
const GATHER_FOR = 250;
/** Milliseconds after which a sender that was cut off is replaced. */
const FLAG_LASTS = 10_000;
/** Parts of one message: 128 KB hold more than twice as many. */
const MAX_PARTS = 200;
/** Requests that are remembered; a flood beyond is not counted. */
const MAX_NOTED = 20_000;

let noted: AudioRequest[] = [];
/** Events that robots sent. */
let robots = 0;
/** Since when a request has been waiting to send; 0 for none. */
let waitingSince = 0;

/** Notes a request for audio that was answered. */
export function noteAudioRequest(ctx: Context, request: AudioRequest) {
  if (noted.length < MAX_NOTED) noted.push(request);
  sendSoon(ctx);
}

/** Notes events that a robot sent. */
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
  // Nothing is taken before it can be sent: the next one tries again.
  const rules = await readRules(ctx);
  const [requests, refused] = [noted, robots];
  noted = [];
  robots = 0;
  waitingSince = 0;
  for (const message of await messagesOf(ctx, rules, { requests, refused })) {
    await sendMessage(ctx.events, message);
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
