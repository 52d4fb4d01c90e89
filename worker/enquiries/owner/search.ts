import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { refreshSearch } from "#worker/discovery/search-refresh.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryListQuery } from "#worker/enquiries/owner/contract.ts";
import { isIn, LIST_ROWS, summaryColumns, toSummaries } from "#worker/enquiries/owner/summary.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { searchedAddress } from "#worker/platform/text/email-address.ts";
import { foldText } from "#worker/platform/text/fold.ts";

type Search = { q: string; box: EnquiryListQuery["box"]; before: string | undefined };

/** Matches that a search examines for one page: some may be in another box. */
const LOOKED_AT = 45;
/** Characters that the index of trigrams needs. */
const TRIGRAM = 3;

/**
 * Enquiries whose name, address or title contains these characters, newest first. For fewer than three characters, as
 * in a Chinese name, it searches only the latest. A page may be short and still have a next page.
 */
export async function findEnquiries<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  { q, box, before }: Search,
) {
  const isPart = Array.from(foldText(q)).length >= TRIGRAM;
  if (isPart) await refreshSearch(ctx, "enquiry_search");
  const older = before === undefined ? undefined : lt(enquiries.id, Number(before));
  const rows = await ctx.db
    .select({ ...summaryColumns, isInBox: sql`${isIn(box)}`.mapWith(Boolean) })
    .from(enquiries)
    .where(isPart ? hasPart(kind, q, before) : and(eq(enquiries.kind, kind), older))
    .orderBy(desc(enquiries.id))
    .limit(LOOKED_AT);
  const found = rows.filter((row) => row.isInBox && (isPart || hasCharacters(row, q)));
  const items = found.slice(0, LIST_ROWS);
  const last = found.length > LIST_ROWS ? items.at(-1) : rows.at(-1);
  const isEnd = found.length <= LIST_ROWS && rows.length < LOOKED_AT;
  return {
    items: await toSummaries<K>(ctx, items),
    next: isEnd || !last ? null : String(last.id),
  };
}

/** A trigram that the name of each kind has and the others lack. */
const codes: Record<EnquiryKind, string> = { application: "app", message: "mes", booking: "boo" };

/** SQL: the row is among the latest matches. */
function hasPart(kind: EnquiryKind, q: string, before: string | undefined): SQL {
  // The second form matches text indexed as written, the third an address with an internationalised domain.
  const forms = [foldText(q), q, searchedAddress(q)].map(quoted).join(" OR ");
  const match = `kind : "${codes[kind]}" AND {name email title} : (${forms})`;
  // D1 binds numbers as floats, for which FTS5 would scan every row.
  const older = before === undefined ? sql`` : sql`and rowid < cast(${Number(before)} as integer)`;
  return sql`${enquiries.id} in (
    select rowid from enquiry_search where enquiry_search match ${match} ${older}
    order by rowid desc limit ${LOOKED_AT})`;
}

/** As an FTS5 phrase, in which no character is an operator. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const hasCharacters = ({ name, email, title }: Record<"name" | "email" | "title", string>, q: string) =>
  foldText([name, email, title].join("\n")).includes(foldText(q));
