import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { EnquiryFields } from "#worker/enquiries/contract.ts";
import { engagementTypeNames, honorariumNames } from "#worker/enquiries/limits.ts";
import { notAnswerable } from "#worker/enquiries/owner/summary.ts";
import type { EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { engagementOfBooking } from "#worker/speaking/queries.ts";
import type { NewEngagement } from "#worker/speaking/contract.ts";

/**
 * Creates an engagement from a booking. Idempotent.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for spam and for an address that was not confirmed
 */
export async function bookEngagement(ctx: Context, id: number): Promise<EnquiryDetails<"booking">> {
  requireCapability("audience", ctx);
  const row = await readEnquiryRow(ctx, "booking", id);
  const inTheWay = notAnswerable(row.box);
  if (inTheWay) throw inTheWay;
  const refer = ctx.db
    .update(enquiries)
    .set({ engagementId: engagementOfBooking(id), updatedAt: ctx.now })
    .where(eq(enquiries.id, id));
  let enquiry!: Promise<EnquiryDetails<"booking">>;
  const read = (one: Context) => (enquiry = readEnquiry(one, "booking", id));
  await createEngagement(ctx, engagementOf(row), { bookingId: id }, { statements: () => [refer], read });
  return enquiry;
}

/** The fields of an engagement from a booking's, cut to their limits. */
function engagementOf({ name, email, title, fields }: typeof enquiries.$inferSelect): NewEngagement {
  const booking = fields as EnquiryFields["booking"];
  const { organization, eventDate, engagementType, honorarium, additionalInfo } = booking;
  return {
    title: cut(title, 255),
    date: eventDate || null,
    venue: cut(organization, 160),
    contactEmail: email,
    notes: cut(
      [
        `Requested by ${name}, ${organization}.`,
        `${engagementTypeNames[engagementType]}. Honorarium: ${honorariumNames[honorarium].toLowerCase()}.`,
        additionalInfo,
      ]
        .filter(Boolean)
        .join("\n\n"),
      5000,
    ),
  };
}

/** Cuts to code units, but not within a surrogate pair. */
const cut = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
