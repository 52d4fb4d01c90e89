import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { refreshSearch } from "#worker/discovery/search-refresh.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryListQuery } from "#worker/enquiries/owner/contract.ts";
import { isIn, LIST_ROWS, summaryColumns, toSummaries } from "#worker/enquiries/owner/summary.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { searchedAddress } from "#worker/platform/email-address.ts";
import { foldText } from "#worker/platform/fold.ts";

type Search = { q: string; box: EnquiryListQuery["box"]; before: string | undefined };

/** Rows that a search looks at for one page: what is found need not lie in the box. */
const LOOKED_AT = 45;
/** Characters that the index of trigrams needs. */
const TRIGRAM = 3;

/**
 * Enquiries whose name, address or title has these characters, newest first. Of fewer than three characters, such as a
 * Chinese name has, it looks through the latest instead. A page may be short, and have others behind it.
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

/** SQL: is among the latest that have these characters. */
function hasPart(kind: EnquiryKind, q: string, before: string | undefined): SQL {
  // The second form finds what the index has as it was written, the third an address by its domain in another script.
  const forms = [foldText(q), q, searchedAddress(q)].map(quoted).join(" OR ");
  const match = `kind : "${codes[kind]}" AND {name email title} : (${forms})`;
  // A number that D1 binds is a float, for which FTS5 would read each row.
  const older = before === undefined ? sql`` : sql`and rowid < cast(${Number(before)} as integer)`;
  return sql`${enquiries.id} in (
    select rowid from enquiry_search where enquiry_search match ${match} ${older}
    order by rowid desc limit ${LOOKED_AT})`;
}

/** As a phrase of FTS5, in which no character means anything. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const hasCharacters = ({ name, email, title }: Record<"name" | "email" | "title", string>, q: string) =>
  foldText([name, email, title].join("\n")).includes(foldText(q));
