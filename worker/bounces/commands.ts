import { eq, lt } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isPermanent, MailEvent } from "#worker/bounces/events.ts";
import { mailEvents } from "#worker/bounces/table.ts";
import type { ReturnedMail } from "#worker/bounces/returned-mail.ts";
import { findDelivery, findSending, recordFeedback } from "#worker/letters/feedback.ts";
import {
  blockSubscriber,
  clearSoftBounces,
  countSoftBounce,
  unsubscribeAfterComplaint,
  type Bounced,
} from "#worker/newsletter/bounce-commands.ts";
import { complaintEvent } from "#worker/newsletter/subscriber-events.ts";
import { readUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { storedAddress } from "#worker/platform/text/email-address.ts";
import { logWarning } from "#worker/platform/log.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";

/** The provider retries a report for some days, under the same id. */
const KEEP_MS = 14 * 86_400_000;

/**
 * Processes a provider's report of an email, after its signature was checked. Ignores a repeated report and other kinds
 * of events.
 * @throws `conflict` while the same report is being processed
 */
export async function takeReport(ctx: Context, { id, event }: { id: string; event: unknown }) {
  const { data: report } = MailEvent.safeParse(event);
  if (!report) return;
  const known = report.data.email_id === "" ? undefined : await findDelivery(ctx, report.data.email_id);
  const who = whoseIs(report, known?.subscriberId ?? null);
  if (!who) return;
  // The most frequent report, and idempotent: it needs no row.
  if (report.type === "email.delivered") return void (await clearSoftBounces(ctx, who));
  if (await isTaken(ctx, id)) return;
  const delivery = known ?? ("email" in who ? await findSending(ctx, who.email) : undefined);
  const feedback = report.type === "email.complained" ? "complained" : "bounced";
  const { letterId = 0, subscriberId = null } = delivery ?? {};
  await takeOnce(ctx, id, [
    ...(report.type === "email.complained" ? [complaintEvent(ctx, who)] : []),
    consequenceOf(ctx, report, who),
    ...(subscriberId === null ? [] : recordFeedback(ctx, { letterId, subscriberId, feedback })),
  ]);
}

/**
 * Writes what follows from a report. Of two concurrent copies one is refused with its whole batch.
 * @throws `conflict`, after which the provider retries it
 */
async function takeOnce(ctx: Context, id: string, statements: BatchItem<"sqlite">[]) {
  const note = ctx.db.insert(mailEvents).values({ id, receivedAt: ctx.now });
  await refusingTaken("mail_events.id", "This report is being processed.", () =>
    ctx.db.batch([note, ...statements]),
  );
}

/**
 * Processes an email that a mail server or a mailbox provider sent about a letter. The letter is known by the token of its own
 * link, since anyone may send such an email. Returns false for an email that reports nothing.
 * @throws `conflict` while the same report is being processed
 */
export async function takeReturnedMail(ctx: Context, mail: ReturnedMail) {
  if (mail.kind === "noted" || mail.kind === "other") return mail.kind === "noted";
  const link = mail.token === null ? null : await readUnsubscribe(ctx, mail.token);
  if (!link) {
    logWarning(`bounces: an email that a letter ${mail.kind} names no known letter`);
    return true;
  }
  const { subscriberId, letterId } = link;
  // A letter is returned once, however many servers report it.
  const id = `${mail.kind}:${letterId ?? ""}:${subscriberId}`;
  if (await isTaken(ctx, id)) return true;
  const who = { id: subscriberId };
  const { kind: feedback } = mail;
  await takeOnce(ctx, id, [
    ...(mail.kind === "complained"
      ? [complaintEvent(ctx, who), unsubscribeAfterComplaint(ctx, subscriberId)]
      : [consequenceOfBounce(ctx, mail, who)]),
    ...(letterId === null ? [] : recordFeedback(ctx, { letterId, subscriberId, feedback })),
  ]);
  return true;
}

/** By the reported letter; otherwise by the address, for an email that is not a letter. */
function whoseIs({ data: { to } }: MailEvent, subscriberId: string | null): Bounced | null {
  if (subscriberId !== null) return { id: subscriberId };
  const [address] = to;
  return address === undefined ? null : { email: storedAddress(addressIn(address)) };
}

/** The address without a display name. */
const addressIn = (mailbox: string) => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();

async function isTaken({ db }: Context, id: string) {
  const rows = await db.select({ id: mailEvents.id }).from(mailEvents).where(eq(mailEvents.id, id));
  return rows.length > 0;
}

type Block = Exclude<MailEvent, { type: "email.delivered" }>;

function consequenceOf(ctx: Context, report: Block, who: Bounced) {
  if (report.type === "email.complained") {
    return blockSubscriber(ctx, who, { status: "complained", reason: "Marked a letter as spam." });
  }
  if (report.type === "email.suppressed") {
    const reason = report.data.suppressed.message || "The provider no longer sends to this address.";
    return blockSubscriber(ctx, who, { status: "bounced", reason });
  }
  const { bounce } = report.data;
  const reason = bounce.message || `${bounce.type} ${bounce.subType}`.trim();
  return consequenceOfBounce(ctx, { isPermanent: isPermanent(bounce), reason }, who);
}

const consequenceOfBounce = (ctx: Context, bounce: { isPermanent: boolean; reason: string }, who: Bounced) =>
  bounce.isPermanent
    ? blockSubscriber(ctx, who, { status: "bounced", reason: bounce.reason })
    : countSoftBounce(ctx, who, bounce.reason);

/** Deletes reports that are too old to be repeated. */
export async function pruneMailEvents({ db, now }: Context) {
  await db.delete(mailEvents).where(lt(mailEvents.receivedAt, new Date(now.getTime() - KEEP_MS)));
}
