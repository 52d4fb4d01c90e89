import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import type { MailDraft } from "./mail-dialog.tsx";

/** Maximum characters of a subject after "Re:". */
const MOST = 190;

/** The email to the sender of an enquiry: a reply quotes what they wrote. */
export function draftOf(kind: EnquiryKind, enquiry: EnquirySummary): MailDraft {
  const { id, name, email, title, box } = enquiry;
  const text = textOf(enquiry);
  const isReply = kind !== "application";
  return {
    id,
    name,
    email,
    subject: isReply ? `Re: ${title.slice(0, MOST).toWellFormed()}` : "",
    quote: isReply && text !== "" ? `\n\n${name} wrote:\n${quoted(text)}` : "",
    mayInvite: kind === "application" && box !== "rejected",
  };
}

/** The long text of an enquiry. */
export function textOf({ fields }: EnquirySummary) {
  if ("position" in fields) return fields.position;
  return "message" in fields ? fields.message : fields.additionalInfo;
}

const quoted = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join("\n");
