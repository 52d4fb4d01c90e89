import { tableList } from "#worker/exports/exported.ts";
import { engagements } from "#worker/speaking/table.ts";

/** Engagements, confidential fields included. */
export const engagementsForExport = tableList("speaking.json", engagements);
