import { campaigns } from "#worker/campaigns/table.ts";
import { noun } from "#worker/nouns/noun.ts";

export const campaignNoun = noun({ table: campaigns, exported: { list: "campaigns.json" } });
