import type { CampaignStatus, CampaignType } from "#worker/campaigns/contract.ts";

export const typeNames: Record<CampaignType, string> = { petition: "Petition", crowdfund: "Crowdfund" };

export const statusNames: Record<CampaignStatus, string> = { active: "Active", closed: "Closed" };
