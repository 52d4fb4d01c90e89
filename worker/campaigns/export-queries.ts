import { tableList } from "#worker/exports/exported.ts";
import { campaigns } from "#worker/campaigns/table.ts";

/** Campaigns of every status. */
export const campaignsForExport = tableList("campaigns.json", campaigns);
