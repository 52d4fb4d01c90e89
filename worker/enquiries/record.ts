import { and, eq, getTableColumns, gt, isNull, ne, not, or, sql, type SQL } from "drizzle-orm";
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
import { findSpam, limitsOfDoubt } from "#worker/spam/judge.ts";

/** Milliseconds in which the same, sent again, is one. */
const FOLDED_FOR = 10 * 60_000;
/** Of one kind, from one network address, which may be a whole family or office. */
const ENQUIRIES_AN_HOUR = 20;
/** That are no answer of the owner's, to one mailbox, whoever names it. */
const MAILS_AN_HOUR = 3;

/**
 * `isChecked`: that no robot sent it is known, or nobody asks. `doubt`: why a program may have sent it, as a sentence for the
 * owner; empty if nothing suggests it.
 */
export type Check = { isChecked: boolean; doubt: string };

/**
 * Stores an enquiry and the mails that follow from it in one batch. The same within ten minutes changes nothing and is no
 * error, unless it waits for its sender and this one does not: then this one arrives in its place. What looks like spam goes
 * to the spam, from where its sender can have it arrive by the link of a mail.
 * @throws `too_many`
 */
export async function record(ctx: Context, site: Site, sent: Sent, check: Check): Promise<Submitted> {
  await enforceLimits(ctx, perAddress(ctx, `enquiry-${sent.kind}`, ENQUIRIES_AN_HOUR));
  const spamReason = check.doubt || findSpam(site, textsOf(sent));
  const isSpam = spamReason !== "";
  const isUnconfirmed = !check.isChecked && !isSpam;
  const waits = isUnconfirmed || isSpam;
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
  const mails = waits
    ? await mailsToConfirm(ctx, site, { sent, digest, spamReason })
    : await mailsThatFollow(ctx, site, { sent, slot });
  const isNew = and(eq(enquiries.digest, digest), eq(enquiries.createdAt, ctx.now), waits ? WAITS : ARRIVED);
  const rows = await Promise.all(mails.map((mail) => rowAbout(ctx, mail, { digest, slot, isDue: isNew })));
  // What waits for its sender has arrived with this one: its link finds this one then, and makes no second.
  const replaced = waits ? [] : [ctx.db.delete(enquiries).where(isWaiting(digest))];
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
  // Without a mail there is nothing to confirm: it has arrived, with the spam.
  return { isUnconfirmed: arrived.length === 0 && mails.length > 0 };
}

/**
 * Stores a guest whom the owner adds, approved and without a mail. The same within ten minutes is one. Returns the id.
 */
export async function recordGuest(ctx: Context, sent: Sent): Promise<number> {
  const digest = await sha256(JSON.stringify(sent));
  const guest = { ...sent, digest, status: "approved", spamReason: "", isSpam: false } as const;
  const [, [row]] = await ctx.db.batch([
    insertUnlessSame(ctx, { ...guest, confirmedAt: ctx.now }),
    ctx.db
      .select({ id: enquiries.id })
      .from(enquiries)
      .where(isSame(ctx, digest, ARRIVED))
      .limit(1),
  ]);
  return row!.id;
}

/** A link that every applicant gives is no sign of spam; the words in it are. */
function textsOf({ name, email, title, fields }: Sent) {
  const texts = Object.entries(fields).map(([field, text]) =>
    field === "linkedinProfile" ? text.replace(/^https?:\/\/(www\.)?/, "") : text,
  );
  return [name, email, title, ...texts];
}

const mailboxLimit = ({ email }: Sent): Limit => ({ subject: `enquiry-mail:${email}`, most: MAILS_AN_HOUR });

type ToConfirm = { sent: Sent; digest: string; spamReason: string };

/**
 * The mail with which its sender has it arrive; none where one of the limits is reached for spam, which is kept without.
 * @throws `too_many` for what is no spam
 */
async function mailsToConfirm(ctx: Context, site: Site, { sent, digest, spamReason }: ToConfirm) {
  const limits = [mailboxLimit(sent), ...limitsOfDoubt(spamReason)];
  const isSpam = spamReason !== "";
  if (!isSpam) await enforceLimits(ctx, limits);
  else if (!(await countWithinLimits(ctx, limits))) return [];
  return [await confirmationMail(ctx, site, { ...sent, digest, isSpam })];
}

async function mailsThatFollow(ctx: Context, site: Site, { sent, slot }: { sent: Sent; slot: string }) {
  const to = await readNoticeAddress(ctx, site);
  const { notice, receipt } = mailsOf(ctx, site, sent, { to, id: slot });
  return (await countWithinLimits(ctx, [mailboxLimit(sent)])) ? [notice, receipt] : [notice];
}

type NewEnquiry = Sent & {
  digest: string;
  /** Without one it waits for the owner. */
  status?: "approved";
  spamReason: string;
  isSpam: boolean;
  confirmedAt: Date | null;
};

/**
 * One statement looks and inserts, so that of two at once one is stored. One that arrives is stored also while the same waits
 * for its sender, who may never open that mail.
 */
function insertUnlessSame(ctx: Context, enquiry: NewEnquiry) {
  const { db, now } = ctx;
  const which = enquiry.confirmedAt === null || enquiry.isSpam ? undefined : ARRIVED;
  const same = db
    .select({ id: enquiries.id })
    .from(enquiries)
    .where(isSame(ctx, enquiry.digest, which));
  const status = enquiry.status ?? (enquiry.kind === "application" ? "pending" : "new");
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

/** SQL: its sender can have it arrive. What a person put into the spam has no reason, and stays. */
const WAITS = or(
  isNull(enquiries.confirmedAt),
  and(eq(enquiries.isSpam, true), ne(enquiries.spamReason, "")),
);

/** SQL: nobody has to confirm it. */
const ARRIVED = not(WAITS!);

export const isWaiting = (digest: string) => and(eq(enquiries.digest, digest), WAITS);
