import type { EnquiryFields, EnquiryKind } from "../../../worker/enquiries/contract.ts";

type Values = {
  name: string;
  email?: string;
  /** The topic, subject or event. */
  title?: string;
  /** What is written at length. */
  text?: string;
  isSpam?: boolean;
  notes?: string;
};

/** SQL: an enquiry as its form leaves it. */
export function enquirySql(kind: EnquiryKind, values: Values) {
  const { name, email = "guest@example.com", title = "A title", text = "Words of it." } = values;
  const fields: EnquiryFields = {
    application: { linkedinProfile: "https://www.linkedin.com/in/guest", topic: title, position: text },
    message: { type: "general", subject: title, message: text },
    booking: {
      organization: "The Book Fair",
      eventName: title,
      eventDate: "2031-03-04",
      engagementType: "keynote",
      honorarium: "paid",
      additionalInfo: text,
    },
  };
  const row = [
    kind,
    kind === "application" ? "pending" : "new",
    name,
    email,
    title,
    JSON.stringify(fields[kind]),
    crypto.randomUUID(),
    values.notes ?? "",
  ].map((value) => `'${value.replaceAll("'", "''")}'`);
  const now = Date.now();
  return `insert into enquiries
    (kind, status, name, email, title, fields, digest, notes, is_spam, confirmed_at, created_at, updated_at)
    values (${row.join()}, ${values.isSpam ? 1 : 0}, ${now}, ${now}, ${now})`;
}
