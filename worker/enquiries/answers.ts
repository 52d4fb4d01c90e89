import { sql } from "drizzle-orm";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";

/** SQL: the answers to an enquiry, as JSON, oldest first. */
export const answersOf = sql<string>`(select json_group_array(json_object(
    'subject', mail.subject, 'body', mail.body, 'sentBy', mail.sent_by, 'sentAt', mail.sent_at,
    'recordingAt', mail.recording_at, 'recordingMinutes', mail.recording_minutes, 'recordingPlace', mail.recording_place, 'recordingCancelled', iif(mail.is_cancellation, 'yes', null)
  ) order by mail.id) from ${enquiryMails} as mail where mail.enquiry_id = ${enquiries}.id)`;

type Answer = Record<string, string | number | null> & { sentAt: number; recordingAt: number | null };

/** The same with times as ISO 8601, and without null fields. */
export const toAnswers = (json: string) =>
  (JSON.parse(json) as Answer[]).map((answer) => {
    const { sentAt, recordingAt } = answer;
    const times = {
      sentAt: inWriting(sentAt),
      recordingAt: recordingAt === null ? null : inWriting(recordingAt),
    };
    return Object.fromEntries(Object.entries({ ...answer, ...times }).filter(([, fact]) => fact !== null));
  });

const inWriting = (milliseconds: number) => new Date(milliseconds).toISOString();
