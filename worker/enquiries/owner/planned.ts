import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { enquiryMails } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** SQL: the latest email about an enquiry's recording. */
export const latestInvitation = (enquiryId: SQL) => sql`(
  select max(latest.id) from ${enquiryMails} as latest
  where latest.enquiry_id = ${enquiryId} and latest.recording_at is not null)`;

/** SQL: the email is the latest invitation to a future recording that is not cancelled. */
export const isPlanned = ({ now }: Pick<Context, "now">) =>
  and(
    gt(enquiryMails.recordingAt, now),
    eq(enquiryMails.isCancellation, false),
    sql`${enquiryMails.id} = ${latestInvitation(sql`${enquiryMails.enquiryId}`)}`,
  );
