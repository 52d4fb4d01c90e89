import { and, eq, getTableColumns, gt, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import type { Sent, Submitted } from "#worker/enquiries/contract.ts";
import { confirmationMail, mailsOf } from "#worker/enquiries/mails.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueue } from "#worker/platform/outbox.ts";
import { sha256, uuidOf } from "#worker/platform/random.ts";
import { countWithinLimits, enforceLimits, perAddress, type Limit } from "#worker/platform/rate.ts";
import { outbox } from "#worker/platform/table.ts";
import type { Site } from "#worker/settings/contract.ts";
import { findSpam } from "#worker/spam/judge.ts";

/** Milliseconds in which the same, sent again, is one. */
const FOLDED_FOR = 10 * 60_000;
/** Of one kind, from one network address, which may be a whole family or office. */
const ENQUIRIES_AN_HOUR = 20;
/** That are no answer of the owner's, to one mailbox, whoever names it. */
const MAILS_AN_HOUR = 3;

/** `isChecked`: that no robot sent it is known, or nobody asks. */
export type Check = { isChecked: boolean };

/**
 * Stores an enquiry and the mails that follow from it in one batch. The same within ten minutes changes nothing and is no
 * error, unless it waits for its sender and this one is checked: then this one arrives in its place. What looks like spam
 * goes to the spam, and no mail follows.
 * @throws `too_many`
 */
export async function record(ctx: Context, site: Site, sent: Sent, { isChecked }: Check): Promise<Submitted> {
  await enforceLimits(ctx, perAddress(ctx, `enquiry-${sent.kind}`, ENQUIRIES_AN_HOUR));
  const spamReason = findSpam(site, textsOf(sent));
  const isSpam = spamReason !== "";
  // What nobody is asked to confirm would never reach the spam.
  const isUnconfirmed = !isChecked && !isSpam;
  const digest = await sha256(JSON.stringify(sent));
  const insert = insertUnlessSame(ctx, {
    ...sent,
    digest,
    spamReason,
    isSpam,
    confirmedAt: isUnconfirmed ? null : ctx.now,
  });
  // What the id is written over, which the enquiry gets when it is inserted. Nobody can have typed it.
  const slot = crypto.randomUUID();
  const mails = isSpam ? [] : await mailsThatFollow(ctx, site, { sent, digest, isUnconfirmed, slot });
  const isNew = and(
    eq(enquiries.digest, digest),
    eq(enquiries.createdAt, ctx.now),
    isUnconfirmed ? isNull(enquiries.confirmedAt) : ARRIVED,
  );
  const rows = await Promise.all(mails.map((mail) => rowAbout(ctx, mail, { digest, slot, isDue: isNew })));
  // What waits for its sender has arrived with this one: its link finds this one then, and makes no second.
  const replaced = isUnconfirmed || isSpam ? [] : [ctx.db.delete(enquiries).where(isWaiting(digest))];
  const [inserted, arrived] = await ctx.db.batch([
    insert,
    ctx.db
      .select({ id: enquiries.id })
      .from(enquiries)
      .where(isSame(ctx, digest, ARRIVED))
      .limit(1),
    ...replaced,
    ...rows.map(({ statement }) => statement),
  ]);
  if (inserted.length > 0) enqueue(ctx, ...rows.map(({ id }) => id));
  return { isUnconfirmed: arrived.length === 0 };
}

/** A link that every applicant gives is no sign of spam; the words in it are. */
function textsOf({ name, email, title, fields }: Sent) {
  const texts = Object.entries(fields).map(([field, text]) =>
    field === "linkedinProfile" ? text.replace(/^https?:\/\/(www\.)?/, "") : text,
  );
  return [name, email, title, ...texts];
}

type Following = { sent: Sent; digest: string; isUnconfirmed: boolean; slot: string };

async function mailsThatFollow(ctx: Context, site: Site, { sent, digest, isUnconfirmed, slot }: Following) {
  const mailbox: Limit[] = [{ subject: `enquiry-mail:${sent.email}`, most: MAILS_AN_HOUR }];
  if (isUnconfirmed) {
    await enforceLimits(ctx, mailbox);
    return [await confirmationMail(ctx, site, { ...sent, digest })];
  }
  const to = await readNoticeAddress(ctx, site);
  const { notice, receipt } = mailsOf(ctx, site, sent, { to, id: slot });
  return (await countWithinLimits(ctx, mailbox)) ? [notice, receipt] : [notice];
}

type NewEnquiry = Sent & {
  digest: string;
  spamReason: string;
  isSpam: boolean;
  confirmedAt: Date | null;
};

/**
 * One statement looks and inserts, so that of two at once one is stored. One that is confirmed is stored also while the
 * same waits for its sender, who may never open that mail.
 */
function insertUnlessSame(ctx: Context, enquiry: NewEnquiry) {
  const { db, now } = ctx;
  const which = enquiry.confirmedAt === null ? undefined : ARRIVED;
  const same = db
    .select({ id: enquiries.id })
    .from(enquiries)
    .where(isSame(ctx, enquiry.digest, which));
  const status = enquiry.kind === "application" ? "pending" : "new";
  const values = valuesOf({ ...enquiry, status, notes: "", createdAt: now, updatedAt: now });
  return db
    .insert(enquiries)
    .select(sql`select ${values} where not exists ${same}`)
    .returning({ id: enquiries.id });
}

/** SQL: the row's values in the order of the columns. */
function valuesOf(row: typeof enquiries.$inferInsert) {
  const columns = Object.entries(getTableColumns(enquiries)).filter(([, column]) => !column.generated);
  const given: Record<string, unknown> = row;
  return sql.join(
    columns.map(([name, column]) => sql.param(given[name] ?? null, column)),
    sql`, `,
  );
}

type About = {
  digest: string;
  /** What stands for the enquiry's id in the mail. */
  slot: string;
  /** Which enquiry it is about. */
  isDue: SQL | undefined;
};

/** The row of a mail about an enquiry, if there is one; written once, whoever else writes the same at that moment. */
export async function rowAbout({ db, now }: Context, mail: Mail, { digest, slot, isDue }: About) {
  const time = now.getTime();
  const id = await uuidOf(`${digest} ${time} ${mail.to} ${mail.subject}`);
  const payload = JSON.stringify(mail);
  const statement = db
    .insert(outbox)
    .select(
      sql`select ${id}, ${MAIL_TOPIC}, replace(${payload}, ${slot}, id), ${time}, 0, ${time}, null, null, null, null, null
        from ${enquiries} where ${isDue} limit 1`,
    )
    .onConflictDoNothing();
  return { id, statement };
}

/** SQL: it is the same, sent shortly before. */
function isSame({ now }: Context, digest: string, which?: SQL) {
  const since = new Date(now.getTime() - FOLDED_FOR);
  return and(eq(enquiries.digest, digest), gt(enquiries.createdAt, since), which);
}

/** SQL: nobody has to confirm it. */
const ARRIVED = isNotNull(enquiries.confirmedAt);

/** SQL: it waits for its sender. */
export const isWaiting = (digest: string) => and(eq(enquiries.digest, digest), isNull(enquiries.confirmedAt));
