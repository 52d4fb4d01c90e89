import { eq, sql, type SQL } from "drizzle-orm";
import { readOwners } from "#worker/accounts/notice-address.ts";
import { accountLink, type User } from "#worker/accounts/account-links.ts";
import { deviceOf } from "#worker/accounts/queries.ts";
import { users } from "#worker/accounts/table.ts";
import { causedMailId, mailRow, mailRowIf, type MailPart, type NewMail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue, readOutboxRow } from "#worker/platform/work/outbox.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

/**
 * Emails about what happened to an account: docs/decisions/0093-notices-about-accounts.md. Each says when, from which device and
 * country, and has a link for a user who did not do it.
 */

type Words = {
  subject: string;
  parts: MailPart[];
  /** Where it goes, if not to the account's address: a former address, for which there is no link. */
  to?: string;
  /** What the link would do is of no use: the account has ended, or another one did it. */
  isWithoutLink?: boolean;
};

/** A user, with the stamp that the account has once the batch is committed; without one that of now. */
type Recipient = Pick<User, "id" | "email"> & { stamp?: string };

/** The outbox row of a notice, for the batch of what it is about. `cause`: as in `mailRow`. */
export async function noticeRow(
  ctx: Context,
  user: Recipient,
  write: (siteName: string) => Words,
  cause?: string,
) {
  return mailRow(ctx, await compose(ctx, user, write), cause);
}

async function compose(ctx: Context, user: Recipient, write: (siteName: string) => Words): Promise<NewMail> {
  const site = await readSite(ctx);
  const { to = user.email, subject, parts, isWithoutLink = to !== user.email } = write(site.name);
  return {
    ...senderOf(ctx, site),
    to,
    subject,
    parts: [...parts, whenAndWhere(ctx, site.timeZone), ...(isWithoutLink ? [] : await wayOut(ctx, user))],
    isKey: !isWithoutLink,
  };
}

/** None for a user who was deleted concurrently. */
async function wayOut(ctx: Context, { id, stamp: given }: Recipient): Promise<MailPart[]> {
  const stamp = given ?? (await stampOf(ctx, id));
  if (stamp === undefined) return [];
  const subject = { id, stamp, pendingEmail: null };
  return [
    "If it wasn’t you: this signs out every device, and sends you a link to choose a new password.",
    { label: "It was not me", href: await accountLink(ctx, "not-me", subject) },
  ];
}

async function stampOf({ db }: Context, id: string) {
  const [user] = await db.select({ stamp: users.stamp }).from(users).where(eq(users.id, id));
  return user?.stamp;
}

/** "30 November 2026 at 11:40 (Australia/Sydney), Firefox on Windows, Australia". */
export function whenAndWhere({ now, client }: Context, timeZone: string) {
  const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone }).format(
    now,
  );
  const device = client.userAgent ? deviceOf(client.userAgent) : "an unknown device";
  return `${time} (${timeZone}), ${device}, ${countryOf(client.country)}.`;
}

/** Cloudflare's name for a client without a country is XX, and T1 for one that uses Tor. */
function countryOf(code = "") {
  if (code === "T1") return "through Tor";
  if (!/^[A-Z]{2}$/.test(code) || code === "XX") return "unknown country";
  return new Intl.DisplayNames(["en"], { type: "region" }).of(code) ?? "unknown country";
}

/** Of those that follow from what an account may do often. */
const NOTICES_AN_HOUR = 10;

export type Notice = Words & { name: string };

/**
 * The outbox row of a notice, for the batch of what it is about, and its id for the queue; none if there is one of this `name`
 * in the same ten minutes, or if the user got ten in this hour.
 * @param isWritten SQL, for a batch that may write nothing without failing
 */
export async function noticeRows(
  ctx: Context,
  user: Recipient,
  { name, ...words }: Notice,
  isWritten = sql`true`,
) {
  const cause = `notice-${name}-${user.id}-${Math.floor(ctx.now.getTime() / TEN_MINUTES)}`;
  // Before it is counted: the parts of a long export must not use up the notices of the hour.
  if (await readOutboxRow(ctx, causedMailId(cause))) return [];
  const limit = { subject: `notices:${user.id}`, most: NOTICES_AN_HOUR };
  if (!(await countWithinLimits(ctx, [limit]))) return [];
  return [mailRowIf(ctx, await compose(ctx, user, () => words), cause, isWritten)];
}

/** Sends a notice about an action that writes nothing, such as an export, and never turns it into a failure. */
export const sendNotice = (ctx: Context, user: Recipient, notice: Notice) =>
  afterWrite(`notices: ${notice.name} was not mailed`, sendOnce(ctx, user, notice));

async function sendOnce(ctx: Context, user: Recipient, notice: Notice) {
  for (const { id, statement } of await noticeRows(ctx, user, notice)) {
    await statement;
    enqueue(ctx, id);
  }
}

const TEN_MINUTES = 600_000;

/** After an export: of the site, its subscribers, a person, its enquiries, the log. `what`: "All subscribers". */
export async function noticeExport(ctx: Context, what: string) {
  const { actor } = ctx;
  if (actor.kind !== "user") return;
  await sendNotice(ctx, actor, {
    name: `export-${what.toLowerCase().replaceAll(/\W+/g, "-")}`,
    subject: `${what} exported from your account`,
    parts: [`${what} were downloaded with your account.`],
  });
}

/** Super admins who get the same notice. */
const MOST_OWNERS = 10;

/**
 * Of a change of the address that enquiries go to: to the super admins, at the addresses with which they sign in. For the batch of
 * the change.
 */
export async function contactChangedRows(ctx: Context, contactEmail: string, isWritten: SQL) {
  const { actor } = ctx;
  const who = actor.kind === "user" ? `, as ${actor.email} has set` : "";
  const rows = (await readOwners(ctx, MOST_OWNERS)).map((owner) =>
    noticeRows(
      ctx,
      owner,
      {
        name: `contact-${contactEmail || "none"}`,
        subject: "The site’s contact address was changed",
        parts: [
          `Enquiries now go to ${contactEmail || "the owner’s own address"}${who}.`,
          { label: "Open the settings", href: `${ctx.config.siteUrl}/admin/settings` },
        ],
        isWithoutLink: actor.kind !== "user" || actor.id !== owner.id,
      },
      isWritten,
    ),
  );
  return (await Promise.all(rows)).flat();
}

type Ended = Pick<User, "id" | "email" | "role" | "emailVerified">;

/**
 * For the batch after which a user can no longer sign in: a thief with another account must not cause it unseen. Not limited with
 * the emails that the user causes, so that no flood of these keeps an account alive.
 */
export const accountEndedRows = async (ctx: Context, user: Ended, how: "switched off" | "deleted") =>
  user.emailVerified
    ? noticeRows(ctx, user, {
        name: `account-${how.replaceAll(" ", "-")}`,
        subject: `Your account was ${how}`,
        parts: [
          "You can no longer sign in with this address.",
          ...(user.role === "super_admin" ? [ALERTS_GO_ELSEWHERE] : []),
        ],
        isWithoutLink: true,
      })
    : [];

const ALERTS_GO_ELSEWHERE =
  "If you got the site’s emails about security events, they now go to another super admin. If you didn’t agree to this, contact the person who runs the installation.";
