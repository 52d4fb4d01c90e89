import { sql, type SQL } from "drizzle-orm";
import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import { findDraftSubject } from "#worker/letters/automatic-draft.ts";
import { causedMailId, mailRow } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueue, outboxRowIf, readOutboxRow, type Deliver } from "#worker/platform/work/outbox.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

export const HELD_TOPIC = "letter-held";

/** The row that notifies the owner of a letter which waits for approval, if `isDue`. `letterId`: SQL of its id. */
export const heldRow = (ctx: Context, letterId: SQL, isDue: SQL) =>
  outboxRowIf(ctx, HELD_TOPIC, sql`json_object('letterId', ${letterId})`, isDue);

/** Notifies the owner, unless the letter was sent or deleted before. */
export const notifyOfHeld: Deliver = async (ctx, payload, row) => {
  if (await readOutboxRow(ctx, causedMailId(row.id))) return;
  const { letterId } = payload as { letterId: number };
  const subject = await findDraftSubject(ctx, letterId);
  if (subject === undefined) return;
  const site = await readSite(ctx);
  const { id, statement } = mailRow(
    ctx,
    {
      ...senderOf(ctx, site),
      to: await readNoticeAddress(ctx, site),
      subject: `A letter of ${site.name} waits for your approval`,
      parts: [
        `“${subject}” was made automatically. It isn’t sent until you send it.`,
        { label: "Review the letter", href: `${ctx.config.siteUrl}/admin/newsletter/${letterId}` },
      ],
    },
    row.id,
  );
  await statement;
  enqueue(ctx, id);
};
