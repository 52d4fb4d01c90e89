import type { EnquiryFields, EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { jobContext } from "./client.ts";
import { unique } from "./factories.ts";

type Values = Partial<typeof enquiries.$inferInsert>;

const fieldsOf: EnquiryFields = {
  application: {
    linkedinProfile: "https://www.linkedin.com/in/ada",
    topic: "Rents in small towns",
    position: "Councillor.\n\nTen years of it.",
  },
  message: { type: "general", subject: "A question", message: "How are you?\nWell, I hope." },
  booking: {
    organization: "The Book Fair",
    eventName: "Perth Book Fair",
    eventDate: "2027-03-04",
    engagementType: "keynote",
    honorarium: "paid",
    additionalInfo: "A hall of 300.",
  },
};

/** An enquiry as its form leaves it, confirmed. */
export async function savedEnquiry(kind: EnquiryKind, { fields, ...values }: Values = {}) {
  const all = { ...fieldsOf[kind], ...(fields as object) };
  const title = { application: "topic", message: "subject", booking: "eventName" }[kind];
  const now = new Date();
  const [row] = await jobContext()
    .db.insert(enquiries)
    .values({
      kind,
      status: kind === "application" ? "pending" : "new",
      name: "Ada Quill",
      email: `ada${unique()}@example.com`,
      title: (all as Record<string, string>)[title]!,
      digest: crypto.randomUUID(),
      confirmedAt: now,
      createdAt: now,
      updatedAt: now,
      ...values,
      fields: all as EnquiryFields[EnquiryKind],
    })
    .returning();
  return row!;
}
