import type { EnquiryFields, EnquiryKind, Sent } from "#worker/enquiries/contract.ts";
import { engagementTypeNames, honorariumNames, messageTypeNames } from "#worker/enquiries/limits.ts";
import { composeMail, type Mail } from "#worker/mail/message.ts";
import type { RichPart } from "#worker/mail/rich-text.ts";
import { elements } from "#worker/mail/styles.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";
import type { Context } from "#worker/platform/context.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { senderOf } from "#worker/settings/queries.ts";

type Notice = {
  to: string;
  /** The placeholder of the enquiry's id in the link. */
  id: string;
};

/** The emails to the owner and the sender of an arrived enquiry. */
export function mailsOf(
  ctx: Context,
  site: Site,
  sent: Sent,
  notice: Notice,
): { notice: Mail; receipt: Mail } {
  return { notice: noticeMail(ctx, site, sent, notice), receipt: receiptMail(ctx, site, sent) };
}

const words = {
  application: { what: "Guest application", yours: "Your application", path: "" },
  message: { what: "Message", yours: "Your message", path: "messages/" },
  booking: { what: "Speaking request", yours: "Your request", path: "bookings/" },
};

/** To the owner: the whole enquiry and a link to it. A reply goes to the visitor. */
function noticeMail(ctx: Context, site: Site, sent: Sent, { to, id }: Notice) {
  const { what, path } = words[sent.kind];
  return composeMail(ctx, {
    ...senderOf(ctx, site),
    replyTo: { address: sent.email, name: sent.name },
    to,
    subject: `${what} from ${sent.name}: ${sent.title}`,
    preheader: sent.title,
    parts: [
      ...detailsOf(sent).map(([label, value]) => detail(label, value)),
      { label: "Open in the admin area", href: `${ctx.config.siteUrl}/admin/guests/${path}${id}` },
      "Reply to this email to answer the sender.",
    ],
  });
}

/** The labelled fields of an enquiry, without empty ones. */
function detailsOf({ name, email, ...sent }: Sent) {
  const sender: [string, string][] = [
    ["Name", name],
    ["Email", email],
  ];
  return [...sender, ...fieldsOf(sent)].filter(([, value]) => value !== "");
}

function fieldsOf(sent: Pick<Sent, "kind" | "fields">): [string, string][] {
  switch (sent.kind) {
    case "application": {
      const { linkedinProfile, topic, position } = sent.fields as EnquiryFields["application"];
      return [
        ["LinkedIn profile", linkedinProfile],
        ["Topic", topic],
        ["Position", position],
      ];
    }
    case "message": {
      const { type, subject, message } = sent.fields as EnquiryFields["message"];
      return [
        ["About", messageTypeNames[type]],
        ["Subject", subject],
        ["Message", message],
      ];
    }
    case "booking": {
      const booking = sent.fields as EnquiryFields["booking"];
      return [
        ["Organisation", booking.organization],
        ["Event", booking.eventName],
        ["Date", booking.eventDate || "Not set yet"],
        ["Kind", engagementTypeNames[booking.engagementType]],
        ["Honorarium", honorariumNames[booking.honorarium]],
        ["Additional information", booking.additionalInfo],
      ];
    }
  }
}

/** A visitor's text in its own direction, isolated from the text around it. */
const detail = (label: string, value: string): RichPart => ({
  text: `${label}:\n${value}`,
  html: `<p style="${elements["p"]}"><strong>${label}</strong><br><span dir="auto" style="word-break:break-word">${escapeHtml(value).replaceAll("\n", "<br>")}</span></p>`,
});

/** To the named sender, who may be a stranger: quotes nothing, so that the form cannot send messages to others. */
function receiptMail(ctx: Context, site: Site, { kind, name, email }: Sent) {
  return composeMail(ctx, {
    ...senderOf(ctx, site),
    to: email,
    subject: `We received ${words[kind].yours.toLowerCase()} to ${site.name}`,
    parts: [greeting(name), nextOf(kind, site), NOT_YOU],
  });
}

const NOT_YOU = "If it wasn’t you, someone entered your address, and you can ignore this email.";

function nextOf(kind: EnquiryKind, { name, figures: { reviewedWithin } }: Site) {
  switch (kind) {
    case "application": {
      const when = reviewedWithin && ` Applications are reviewed within ${reviewedWithin}.`;
      return `Thank you for applying to be a guest of ${name}. We’ll contact you if you’re selected.${when}`;
    }
    case "message":
      return `Thank you for writing to ${name}. We have your message, and will reply to this address.`;
    case "booking":
      return "Thank you for your speaking request. It is reviewed and answered within 48 hours.";
  }
}

/** Maximum characters of a plausible first name. */
const LONGEST_NAME = 24;

/** Only the first name, and only if it is a plain word: anyone can enter any text with any address. */
function greeting(name: string) {
  const [first = ""] = name.split(/\s/u);
  const isPlain = first.length <= LONGEST_NAME && /^\p{L}[\p{L}\p{M}'’-]*$/u.test(first);
  return isPlain ? `Hello ${first},` : "Hello,";
}

/** Seconds. */
const CONFIRM_LASTS = 7 * 86_400;

type Unconfirmed = { kind: EnquiryKind; name: string; email: string; digest: string; isSpam: boolean };

/** To the named sender, if the form could not be checked for robots. */
export async function confirmationMail(ctx: Context, site: Site, enquiry: Unconfirmed) {
  const { kind, name, email, digest, isSpam } = enquiry;
  const token = await signLink(
    ctx,
    { purpose: CONFIRM_PURPOSE, subject: digest, stamp: email },
    CONFIRM_LASTS,
  );
  return composeMail(ctx, {
    ...senderOf(ctx, site),
    to: email,
    subject: `Confirm ${words[kind].yours.toLowerCase()} to ${site.name}`,
    parts: [
      greeting(name),
      `We received a form on ${site.name} with your email address. If that was you, confirm it. The link works for 7 days.`,
      { label: "Confirm", href: `${ctx.config.siteUrl}/confirm-enquiry?token=${token}` },
      isSpam
        ? "If it wasn’t you, you can ignore this email. The form is treated as spam and deleted after 30 days."
        : "If it wasn’t you, you can ignore this email. The form isn’t read, and is deleted after a week.",
    ],
  });
}

export const CONFIRM_PURPOSE = "confirm-enquiry";
