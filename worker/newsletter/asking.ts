import { and, asc, eq, gt, lt, ne, notExists, sql } from "drizzle-orm";
import { copyRows, sharedBody, slot } from "#worker/mail/message.ts";
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
} from "#worker/platform/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { readSender } from "#worker/settings/queries.ts";

/** Imported subscribers are asked to confirm in slices, each of which is an outbox row and brings about the next. */
export const ASK_TOPIC = "newsletter-ask";

/** Mails of a slice, and milliseconds between two slices: a list that is old has mailboxes that are gone. */
const SLICE = 100;
const PACE = 60_000;
/** Milliseconds between two mails of a slice, over which it is spread: Resend takes two requests a second. */
const SPACING = PACE / SLICE;

const SLOTS = ["confirm", "unsubscribe"];

type Slice = {
  importId: string;
  /** Of the mail that all of them get. */
  bodyId: string;
  /** The subscriber whom the former slice ended with. */
  after: string;
};

export const firstAskId = (importId: string) => `ask-${importId}`;

/** SQL: the import whose id, a UUID, a subscriber's id begins with. */
const importOf = sql<string>`substr(${subscribers.id}, 1, 36)`;

/**
 * SQL: an import other than this one added them as pending, and nobody ordered that those of it be asked. The outbox keeps
 * the first slice of an order for longer than unconfirmed subscribers are kept.
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

/** Of the row behind a slice: by where that slice begins, since it may reach further once some of it have confirmed. */
const nextAskId = ({ after, importId }: Slice) => `ask-next-${after || importId}`;

export async function askBody(ctx: Context) {
  const { siteName, sender } = await readSender(ctx);
  return sharedBody(ctx, {
    ...sender,
    slots: SLOTS,
    subject: `Do you still want letters from ${siteName}?`,
    parts: [
      `${siteName} now sends its letters with a new service. Your address is on its existing list.`,
      "To keep getting letters, confirm your address. The link works once, for 7 days.",
      { label: "Confirm subscription", href: confirmUrl(ctx, slot("confirm")) },
      "If you do nothing, you get no letters, and your address is deleted after 30 days.",
    ],
    footer: unsubscribeFooter(unsubscribeUrl(ctx, slot("unsubscribe"))),
    headers: listHeaders(ctx, slot("unsubscribe")),
  });
}

/** Its mails are written together with the row of the next slice, whose id is known before: never twice. */
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
        // The character behind the hyphen.
        lt(subscribers.id, `${importId}.`),
        eq(subscribers.state, "pending"),
        hasImportedConsent,
      ),
    )
    .orderBy(asc(subscribers.id))
    .limit(SLICE);
