import { tableList } from "#worker/exports/exported.ts";
import { engagements } from "#worker/speaking/table.ts";

/** Engagements, with what is confidential. */
export const engagementsForExport = tableList("speaking.json", engagements);
