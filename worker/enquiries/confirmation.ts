import { desc, eq } from "drizzle-orm";
import { INVALID_LINK, type EnquiryLink } from "#worker/enquiries/contract.ts";
import { CONFIRM_PURPOSE } from "#worker/enquiries/mails.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { readLink } from "#worker/platform/http/signed.ts";

/** The state of a link's page. Changes nothing. */
export async function readEnquiryLink(ctx: Context, token: string): Promise<EnquiryLink> {
  const enquiry = await findByLink(ctx, token);
  if (!enquiry) return { state: "invalid", message: INVALID_LINK };
  return { state: "ready", kind: enquiry.kind, email: enquiry.email };
}

/** The enquiry of a link, confirmed or not: a second press is not an error. */
export async function findByLink(ctx: Context, token: string) {
  const link = await readLink(ctx, CONFIRM_PURPOSE, token);
  if (!link.ok) return undefined;
  const [row] = await ctx.db
    .select()
    .from(enquiries)
    .where(eq(enquiries.digest, link.subject))
    .orderBy(desc(enquiries.id))
    .limit(1);
  return row;
}
