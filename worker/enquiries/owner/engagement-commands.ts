import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { EnquiryFields } from "#worker/enquiries/contract.ts";
import { notAnswerable } from "#worker/enquiries/owner/answerable.ts";
import type { EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import type { NewEngagement } from "#worker/speaking/contract.ts";

/**
 * Makes an engagement of a booking. Asked for again, it is the one that was made.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for spam and for an address that was not confirmed
 */
export async function bookEngagement(ctx: Context, id: number): Promise<EnquiryDetails<"booking">> {
  requireCapability("audience", ctx);
  const row = await readEnquiryRow(ctx, "booking", id);
  const inTheWay = notAnswerable(row.box);
  if (inTheWay) throw inTheWay;
  const { id: engagementId } = await createEngagement(ctx, engagementOf(row), { bookingId: id });
  await ctx.db.update(enquiries).set({ engagementId, updatedAt: ctx.now }).where(eq(enquiries.id, id));
  return readEnquiry(ctx, "booking", id);
}

/** What the fields of an engagement take of a booking's, which may be longer. */
function engagementOf({ name, email, title, fields }: typeof enquiries.$inferSelect): NewEngagement {
  const booking = fields as EnquiryFields["booking"];
  const { organization, eventDate, additionalInfo } = booking;
  return {
    title: cut(title, 255),
    date: eventDate || null,
    venue: cut(organization, 160),
    contactEmail: email,
    notes: cut(
      [
        `Asked for by ${name}, ${organization}.`,
        `${words[booking.engagementType]}. Honorarium: ${words[booking.honorarium]}.`,
        additionalInfo,
      ]
        .filter(Boolean)
        .join("\n\n"),
      5000,
    ),
  };
}

const words: Record<
  EnquiryFields["booking"]["engagementType"] | EnquiryFields["booking"]["honorarium"],
  string
> = {
  keynote: "Keynote",
  panel: "Panel",
  workshop: "Workshop",
  fireside: "Fireside chat",
  moderator: "Moderator",
  other: "Another kind of talk",
  paid: "paid",
  "expenses-only": "expenses only",
  "pro-bono": "pro bono",
  discuss: "to be discussed",
};

/** Code units, but not within a pair of surrogates. */
const cut = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
