import { sql } from "drizzle-orm";
import type { EnquiryBox, EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiries } from "#worker/enquiries/table.ts";

/** SQL: how many enquiries of a kind are in a box, up to a limit. */
export const countEnquiries = (kind: EnquiryKind, box: EnquiryBox, limit: number) =>
  sql<number>`(select count(*) from (
    select 1 from ${enquiries} where ${enquiries.kind} = ${kind} and ${enquiries.box} = ${box} limit ${limit}))`;
