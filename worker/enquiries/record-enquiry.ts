import { and, eq, getTableColumns, gt, isNull, ne, not, or, sql, type SQL } from "drizzle-orm";
import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import type { EnquiryKind, Sent, Submitted } from "#worker/enquiries/contract.ts";
import { confirmationMail, mailsOf } from "#worker/enquiries/mails.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { sha256, uuidOf } from "#worker/platform/data/random.ts";
import { countWithinLimits, enforceLimits, perAddress, type Limit } from "#worker/platform/http/rate.ts";
import { outbox } from "#worker/platform/table.ts";
import type { Site } from "#worker/settings/contract.ts";
import { findSpam, limitsOfDoubt } from "#worker/spam/judge.ts";
import { eventRows } from "#worker/webhooks/record-event.ts";

/** Milliseconds within which a repeated enquiry is ignored. */
const FOLDED_FOR = 10 * 60_000;
/** Per kind and network address, which may be a whole family or office. */
const ENQUIRIES_AN_HOUR = 20;
/** Automatic emails to one mailbox, regardless of the sender. */
const MAILS_AN_HOUR = 3;

/**
 * `isChecked`: it passed the robot check, or there is none. `doubt`: why a program may have sent it, as a sentence for
 * the owner; empty if nothing suggests it.
 */
export type Check = { isChecked: boolean; doubt: string };

/**
 * Stores an enquiry and its emails in one batch. A repeated one within ten minutes is ignored, unless the first is
 * unconfirmed and this one is not: then this one replaces it. A likely spam enquiry goes to the spam, from where its
 * sender can release it by a mailed link.
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
  // A placeholder for the enquiry's id, which the insert assigns. Random, so that no text contains it.
  const slot = crypto.randomUUID();
  const mails = waits
    ? await mailsToConfirm(ctx, site, { sent, digest, spamReason })
    : await mailsThatFollow(ctx, site, { sent, slot });
  const isNew = and(eq(enquiries.digest, digest), eq(enquiries.createdAt, ctx.now), waits ? WAITS : ARRIVED);
  const rows = await Promise.all(mails.map((mail) => rowAbout(ctx, mail, { digest, slot, isDue: isNew })));
  // This enquiry replaces the unconfirmed one, whose link then finds this one and creates no duplicate.
  const replaced = waits ? [] : [ctx.db.delete(enquiries).where(isWaiting(digest))];
  const [inserted, arrived] = await ctx.db.batch([
    insert,
    ctx.db
      .select({ id: enquiries.id })
      .from(enquiries)
      .where(isSame(ctx, digest, ARRIVED))
      .limit(1),
    ...(waits ? [] : [enquiryEvent(ctx, isNew!)]),
    ...replaced,
    ...rows.map(({ statement }) => statement),
  ]);
  if (inserted.length > 0) enqueue(ctx, ...rows.map(({ id }) => id));
  // Without an email there is nothing to confirm: it stays in the spam.
  return { isUnconfirmed: arrived.length === 0 && mails.length > 0 };
}

/** The statement that informs webhooks of an enquiry that arrived. */
export const enquiryEvent = (ctx: Context, which: SQL) => {
  const pages = { application: "", message: "messages/", booking: "bookings/" } satisfies Record<
    EnquiryKind,
    string
  >;
  const page = sql.join(
    Object.entries(pages).map(([kind, path]) => sql`when ${kind} then ${path}`),
    sql` `,
  );
  return eventRows(ctx, "enquiry.received", {
    from: sql`from ${enquiries} where ${which}`,
    item: sql`${enquiries.id}`,
    data: {
      id: sql`${enquiries.id}`,
      kind: sql`${enquiries.kind}`,
      url: sql`${`${ctx.config.siteUrl}/admin/guests/`} || case ${enquiries.kind} ${page} end || ${enquiries.id}`,
    },
  });
};

/**
 * Stores a guest whom the owner adds, approved and without an email. Ignores a repeated one within ten minutes. `read`
 * gets SQL that selects the id, and issues its reads together.
 */
export async function recordGuest<T>(
  ctx: Context,
  sent: Sent,
  read: (ctx: Context, id: SQL<number>) => Promise<T>,
): Promise<T> {
  const digest = await sha256(JSON.stringify(sent));
  const guest = { ...sent, digest, status: "approved", spamReason: "", isSpam: false } as const;
  const insert = insertUnlessSame(ctx, { ...guest, confirmedAt: ctx.now });
  const id = sql<number>`(select ${enquiries.id} from ${enquiries} where ${isSame(ctx, digest, ARRIVED)} limit 1)`;
  const [, answer] = await writeAndRead(
    ctx,
    (db) => db.batch([insert]),
    (one) => read(one, id),
  );
  return answer;
}

/** The link that every applicant enters does not count as a spam link; only its words are checked. */
function textsOf({ name, email, title, fields }: Sent) {
  const texts = Object.entries(fields).map(([field, text]) =>
    field === "linkedinProfile" ? text.replace(/^https?:\/\/(www\.)?/, "") : text,
  );
  return [name, email, title, ...texts];
}

const mailboxLimit = ({ email }: Sent): Limit => ({ subject: `enquiry-mail:${email}`, most: MAILS_AN_HOUR });

type ToConfirm = { sent: Sent; digest: string; spamReason: string };

/**
 * The email by which the sender confirms. None for spam over a limit, which is stored without an email.
 * @throws `too_many` if it is not spam
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
  /** By default it is pending or new. */
  status?: "approved";
  spamReason: string;
  isSpam: boolean;
  confirmedAt: Date | null;
};

/**
 * One statement checks and inserts, so that of two concurrent ones one is stored. A confirmed enquiry is stored even if
 * the same one is unconfirmed, since its sender may never open that mail.
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
  /** The placeholder of the enquiry's id in the mail. */
  slot: string;
  /** SQL: selects the enquiry. */
  isDue: SQL | undefined;
};

/** The row of an email about an enquiry, if that exists. Its deterministic id makes concurrent writes idempotent. */
export async function rowAbout({ db, now }: Context, mail: Mail, { digest, slot, isDue }: About) {
  const time = now.getTime();
  const id = await uuidOf(`${digest} ${time} ${mail.to} ${mail.subject}`);
  const payload = JSON.stringify(mail);
  const statement = db
    .insert(outbox)
    .select(
      sql`select ${id}, ${MAIL_TOPIC}, replace(${payload}, ${slot}, id), ${time}, 0, ${time}, null, null, null, null, null, null
        from ${enquiries} where ${isDue} limit 1`,
    )
    .onConflictDoNothing();
  return { id, statement };
}

/** SQL: the same enquiry, sent within the last minutes. */
function isSame({ now }: Context, digest: string, which?: SQL) {
  const since = new Date(now.getTime() - FOLDED_FOR);
  return and(eq(enquiries.digest, digest), gt(enquiries.createdAt, since), which);
}

/** SQL: the sender can release it. An enquiry that a person marked as spam has no reason, and stays there. */
const WAITS = or(
  isNull(enquiries.confirmedAt),
  and(eq(enquiries.isSpam, true), ne(enquiries.spamReason, "")),
);

/** SQL: it needs no confirmation. */
const ARRIVED = not(WAITS!);

export const isWaiting = (digest: string) => and(eq(enquiries.digest, digest), WAITS);
