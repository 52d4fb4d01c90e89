import { z } from "zod";
import { enquiryBoxes, type EnquiryKind } from "#worker/enquiries/contract.ts";
import { EnquiryListQuery } from "#worker/enquiries/owner/contract.ts";
import { listQueryOf } from "../lists/list-filters.tsx";
import { kinds, tabsOf, type BoxName } from "./enquiry-kinds.ts";

const Filters = EnquiryListQuery.extend({ box: z.enum([...enquiryBoxes, "all"]).optional() });

/** The list in an address: its tab, and the query of the use case. */
export function enquiryQueryOf(kind: EnquiryKind, params: URLSearchParams) {
  const { box: asked, ...query } = listQueryOf(params, Filters, kinds[kind].noun);
  const box: BoxName = asked ?? tabsOf[kind][0]!;
  return { box, ...query, listed: { ...query, box: box === "all" ? undefined : box } };
}
