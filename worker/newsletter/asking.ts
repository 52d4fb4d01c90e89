import { and, asc, eq, gt, lt, ne, notExists, sql } from "drizzle-orm";
import { copyRows, sharedBody } from "#worker/mail/message.ts";
import {
  confirmationTokens,
  confirmUrl,
  unsubscribeFooter,
  unsubscribeUrl,
} from "#worker/newsletter/confirmation.ts";
import { hasImportedConsent } from "#worker/newsletter/consent.ts";
import { listHeaders } from "#worker/newsletter/list-headers.ts";
import { requireNewsletter } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  enqueueLater,
  enqueueSpaced,
  outboxRow,
  readOutboxRow,
  type Deliver,
} from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { readSender } from "#worker/settings/queries.ts";

/** Imported subscribers are asked to confirm in slices: each is an outbox row and writes the next. */
export const ASK_TOPIC = "newsletter-ask";

/** Emails per slice, and milliseconds between two slices. Slow, since an old list has dead mailboxes. */
const SLICE = 100;
const PACE = 60_000;
/** Milliseconds between two emails of a slice: Resend allows two requests per second. */
const SPACING = PACE / SLICE;

const SLOTS = ["confirm", "unsubscribe"];

type Slice = {
  importId: string;
  /** The body shared by all these emails. */
  bodyId: string;
  /** The last subscriber of the previous slice. */
  after: string;
};

export const firstAskId = (importId: string) => `ask-${importId}`;

/** SQL: the id of the import, a UUID with which a subscriber's id begins. */
const importOf = sql<string>`substr(${subscribers.id}, 1, 36)`;

/**
 * SQL: another import added the subscriber as pending, and its subscribers were never asked to confirm. Outbox rows
 * outlive unconfirmed subscribers, so the first slice shows whether they were asked.
 */
export const isUnasked = ({ db }: Context, importId: string) =>
  and(
    eq(subscribers.state, "pending"),
    hasImportedConsent,
    ne(importOf, importId),
    notExists(
      db
        .select({ id: outbox.id })
        .from(outbox)
        .where(eq(outbox.id, sql`${firstAskId("")} || ${importOf}`)),
    ),
  );

/** The id of the next slice's row, from this slice's start: its end moves when subscribers confirm. */
const nextAskId = ({ after, importId }: Slice) => `ask-next-${after || importId}`;

export async function askBody(ctx: Context) {
  const { siteName, sender } = await readSender(ctx);
  return sharedBody(ctx, SLOTS, (slot) => ({
    ...sender,
    subject: `Do you still want letters from ${siteName}?`,
    parts: [
      `${siteName} now sends its letters with a new service. Your address is on its existing list.`,
      "To keep getting letters, confirm your address. The link works once, for 7 days.",
      { label: "Confirm subscription", href: confirmUrl(ctx, slot("confirm")) },
      "If you do nothing, you get no letters, and your address is deleted after 30 days.",
    ],
    footer: unsubscribeFooter(unsubscribeUrl(ctx, slot("unsubscribe"))),
    headers: listHeaders(ctx, slot("unsubscribe")),
  }));
}

/** Writes its emails in one batch with the next slice's row, whose id is fixed: so no email is written twice. */
export const askSlice: Deliver = async (ctx, payload) => {
  await requireNewsletter(ctx);
  const slice = payload as Slice;
  const nextId = nextAskId(slice);
  if (await readOutboxRow(ctx, nextId)) return;
  const asked = await listPending(ctx, slice);
  const last = asked.at(-1);
  if (!last) return;
  const tokens = await confirmationTokens(ctx, asked);
  const mails = copyRows(
    ctx,
    { id: slice.bodyId, slots: SLOTS, spacing: SPACING },
    asked.map(({ email }, index) => ({ to: email, values: tokens[index]! })),
  );
  const notBefore = new Date(ctx.clock().getTime() + PACE);
  const next = outboxRow(ctx, ASK_TOPIC, { ...slice, after: last.id }, { id: nextId, notBefore });
  await ctx.db.batch([mails.statement, next.statement]);
  enqueueSpaced(ctx, mails.ids, SPACING);
  enqueueLater(ctx, nextId, PACE);
};

/** In the order of their ids, which begin with that of their import. */
const listPending = ({ db }: Context, { importId, after }: Slice) =>
  db
    .select({ id: subscribers.id, email: subscribers.email, stamp: subscribers.stamp })
    .from(subscribers)
    .where(
      and(
        gt(subscribers.id, after || `${importId}-`),
        // The character after the hyphen.
        lt(subscribers.id, `${importId}.`),
        eq(subscribers.state, "pending"),
        hasImportedConsent,
      ),
    )
    .orderBy(asc(subscribers.id))
    .limit(SLICE);
