import { eq } from "drizzle-orm";
import type { EnquiryFields, EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryListQuery, EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { enquiries, LISTED } from "#worker/enquiries/table.ts";
import { readEpisodeTitles } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Rows of one page. */
export const LIST_ROWS = 30;

export const summaryColumns = {
  id: enquiries.id,
  box: enquiries.box,
  status: enquiries.status,
  name: enquiries.name,
  email: enquiries.email,
  title: enquiries.title,
  fields: enquiries.fields,
  spamReason: enquiries.spamReason,
  episodeId: enquiries.episodeId,
  createdAt: enquiries.createdAt,
};

type SummaryRow = Pick<typeof enquiries.$inferSelect, keyof typeof summaryColumns>;

/** Adds the titles of episodes with these guests, in one statement if there are any. */
export async function toSummaries<K extends EnquiryKind>(
  ctx: Context,
  rows: SummaryRow[],
): Promise<EnquirySummary<K>[]> {
  const titles = await readEpisodeTitles(
    ctx,
    rows.flatMap(({ episodeId }) => episodeId ?? []),
  );
  return rows.map((row) => toSummary<K>(row, titles));
}

export const toSummary = <K extends EnquiryKind>(
  row: SummaryRow,
  titles: NonNullable<EnquirySummary["episode"]>[],
): EnquirySummary<K> => ({
  id: row.id,
  box: row.box!,
  status: row.status,
  name: row.name,
  email: row.email,
  title: row.title,
  fields: row.fields as EnquiryFields[K],
  spamReason: row.spamReason,
  episode: titles.find(({ id }) => id === row.episodeId) ?? null,
  createdAt: row.createdAt.getTime(),
});

/** SQL: is in the box; without one, is listed. */
export const isIn = (box: EnquiryListQuery["box"]) => (box === undefined ? LISTED : eq(enquiries.box, box));

/** Why enquiries in this box cannot be answered; null if they can. */
export function notAnswerable(box: string | null) {
  if (box === "spam") return new AppError("conflict", "This is marked as spam. Move it out of spam first.");
  if (box === "unconfirmed") {
    return new AppError("conflict", "Its sender hasn’t confirmed this address yet.");
  }
  return null;
}
