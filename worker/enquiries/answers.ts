import { sql } from "drizzle-orm";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";

/** SQL: what was answered to an enquiry, as JSON, oldest first. */
export const answersOf = sql<string>`(select json_group_array(json_object(
    'subject', mail.subject, 'body', mail.body, 'sentBy', mail.sent_by, 'sentAt', mail.sent_at) order by mail.id)
  from ${enquiryMails} as mail where mail.enquiry_id = ${enquiries}.id)`;

type Answer = { subject: string; body: string; sentBy: string; sentAt: number };

/** The same with times as ISO 8601. */
export const toAnswers = (json: string) =>
  (JSON.parse(json) as Answer[]).map(({ sentAt, ...answer }) => ({
    ...answer,
    sentAt: new Date(sentAt).toISOString(),
  }));
