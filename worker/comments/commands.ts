import { and, eq, exists, inArray, lt, sql } from "drizzle-orm";
import {
  CommentLink,
  INVALID_LINK,
  NewComment,
  type Commented,
  type CommentedKind,
} from "#worker/comments/contract.ts";
import { commentUrl, readCommentToken } from "#worker/comments/confirmation-link.ts";
import { contentNotFound, placeOf, requireComments, toPlace } from "#worker/comments/queries.ts";
import { changedComments } from "#worker/comments/changed-comments.ts";
import { comments } from "#worker/comments/table.ts";
import { WAITING_TOPIC } from "#worker/comments/waiting-notice.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { deleteInBatches } from "#worker/platform/data/prune.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { enforceLimits, perAddress } from "#worker/platform/http/rate.ts";
import type { Site } from "#worker/settings/contract.ts";
import { senderOf } from "#worker/settings/queries.ts";
import { findSpam, limitsOfDoubt } from "#worker/spam/judge.ts";
import { eventRows } from "#worker/webhooks/record-event.ts";

/** To one mailbox: each comment sends an email. */
const MAILS_AN_HOUR = 6;
/** From one network address, which may be a whole office. */
const COMMENTS_AN_HOUR = 30;
/** Milliseconds within which a repeated comment is ignored. */
const SAME_WITHIN = 10 * 60_000;
/** Milliseconds after which an unconfirmed comment is deleted. */
const UNCONFIRMED_RETENTION = 7 * 86_400_000;

/**
 * Stores a comment as unconfirmed, and emails the link that confirms it. Reads nothing about the address, so that
 * neither the answer nor its timing reveals anything. `doubt`: why a program may have sent it; a confirmed comment is a
 * person's.
 * @throws `not_found` while comments are switched off, and for unpublished content; `invalid`; `too_many`
 */
export async function addComment(ctx: Context, input: NewComment, { doubt } = { doubt: "" }) {
  const site = await requireComments(ctx);
  const { parentId, ...given } = parseInput(NewComment, input);
  // Also per mailbox, so that no mailbox can be flooded.
  await enforceLimits(ctx, [
    ...perAddress(ctx, "comment", COMMENTS_AN_HOUR),
    { subject: `comment-mail:${given.email}`, most: MAILS_AN_HOUR },
    ...limitsOfDoubt(doubt),
  ]);
  // An HTML form sends CRLF, a script LF.
  const comment = { ...given, text: given.text.replace(/\r\n?/g, "\n") };
  const { about, thread } = await readAround(ctx, comment, parentId);
  const key = randomToken();
  const insert = insertOnce(ctx, site, { ...comment, parentId: thread, key });
  const isStored = exists(ctx.db.select({ id: comments.id }).from(comments).where(eq(comments.key, key)));
  const mail = await linkMail(ctx, site, { to: comment.email, about, key });
  const row = outboxRowIf(ctx, MAIL_TOPIC, mail, isStored);
  await ctx.db.batch([insert, row.statement]);
  enqueue(ctx, row.id);
}

type On = { contentType: CommentedKind; contentId: number };

/** The content of a comment, and the first comment of its thread: a reply to a reply joins the same thread. */
async function readAround(ctx: Context, { contentType, contentId }: On, parentId: number | undefined) {
  const [row] = await ctx.db.all<{ place: string | null; thread: number | null }>(sql`
    select ${placeOf(contentType, contentId)} as place, (
      select thread from ${comments} where id = ${parentId ?? null} and content_type = ${contentType}
        and content_id = ${contentId} and status = 'approved') as thread`);
  const about = toPlace(row?.place ?? null);
  if (!about?.isPublished) throw contentNotFound();
  const thread = row?.thread ?? null;
  if (parentId !== undefined && thread === null) {
    throw new AppError("invalid", "This comment no longer exists.", { field: "parentId" });
  }
  return { about, thread };
}

type Stored = On & { parentId: number | null; name: string; email: string; text: string; key: string };

/** Writes nothing if the same comment was stored within the last minutes. */
function insertOnce({ db, now }: Context, site: Site, comment: Stored) {
  const { contentType, contentId, parentId, name, email, text, key } = comment;
  const time = now.getTime();
  const spamReason = findSpam(site, [name, text]);
  return db.insert(comments).select(
    sql`select null, ${contentType}, ${contentId}, ${parentId}, ${name}, ${email}, ${text}, 'unconfirmed',
      ${spamReason}, 0, ${time}, ${time}, ${key}
      where not exists (
        select 1 from ${comments} where email = ${email} and content_type = ${contentType}
          and content_id = ${contentId} and parent_id is ${parentId} and text = ${text}
          and created_at > ${time - SAME_WITHIN})`,
  );
}

/** The email quotes nothing of the comment, since the mailbox may belong to someone other than its writer. */
const linkMail = async (
  ctx: Context,
  site: Site,
  { to, about, key }: { to: string; about: Commented; key: string },
) =>
  composeMail(ctx, {
    ...senderOf(ctx, site),
    to,
    subject: `Confirm your comment at ${site.name}`,
    parts: [
      `We got a comment on “${about.title}” with your email address.`,
      "If that was you, confirm it. We read every comment before it’s shown.",
      { label: "See and confirm your comment", href: await commentUrl(ctx, key) },
      "Keep this email: the same link deletes your comment at any time.",
      "If it wasn’t you, you can ignore this email. The comment isn’t shown, and is deleted after 7 days.",
    ],
  });

/**
 * Confirms a comment by its mailed link: it becomes pending, or spam. Idempotent.
 * @throws `not_found` while comments are switched off; `invalid`, also for an invalid link or a deleted comment
 */
export async function confirmComment(ctx: Context, input: CommentLink) {
  await requireComments(ctx);
  const isIt = eq(comments.key, await keyOf(ctx, input));
  const confirm = ctx.db
    .update(comments)
    .set({ status: sql`iif(${comments.spamReason} = '', 'pending', 'spam')`, updatedAt: ctx.now })
    .where(and(isIt, eq(comments.status, "unconfirmed")));
  const pending = ctx.db
    .select({ id: comments.id })
    .from(comments)
    .where(and(isIt, eq(comments.status, "pending")));
  const waiting = outboxRowIf(ctx, WAITING_TOPIC, {}, sql`changes() > 0 and ${exists(pending)}`);
  const read = ctx.db.select({ id: comments.id }).from(comments).where(isIt);
  const event = eventRows(ctx, "comment.received", {
    from: sql`from ${comments} where ${isIt} and ${comments.status} = 'pending' and changes() > 0`,
    item: sql`${comments.id}`,
    data: {
      id: sql`${comments.id}`,
      contentType: sql`${comments.contentType}`,
      contentId: sql`${comments.contentId}`,
      url: `${ctx.config.siteUrl}/admin/guests/comments`,
    },
  });
  const [, , , [comment]] = await ctx.db.batch([confirm, waiting.statement, event, read]);
  if (!comment) throw invalidLink();
  enqueue(ctx, waiting.id);
}

/**
 * Deletes a comment by its mailed link, in any status, also while comments are switched off. Its replies stay.
 * Idempotent.
 * @throws `invalid`, also for a link that is not valid
 */
export async function deleteOwnComment(ctx: Context, input: CommentLink) {
  const isIt = eq(comments.key, await keyOf(ctx, input));
  await ctx.db.batch([changedComments(ctx, isIt), ctx.db.delete(comments).where(isIt)]);
}

/** @throws `invalid` */
async function keyOf(ctx: Context, input: CommentLink) {
  const { token } = parseInput(CommentLink, input);
  const key = await readCommentToken(ctx, token);
  if (key === null) throw invalidLink();
  return key;
}

const invalidLink = () => new AppError("invalid", INVALID_LINK, { field: "token" });

/** Deletes unconfirmed comments. */
export async function pruneUnconfirmedComments({ db, now }: Context) {
  const past = new Date(now.getTime() - UNCONFIRMED_RETENTION);
  const old = db
    .select({ id: comments.id })
    .from(comments)
    .where(and(eq(comments.status, "unconfirmed"), lt(comments.createdAt, past)))
    .orderBy(comments.id);
  await deleteInBatches((limit) => db.delete(comments).where(inArray(comments.id, old.limit(limit))));
}
