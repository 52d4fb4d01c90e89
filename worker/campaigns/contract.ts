import { z } from "zod";
import { basedOn, draftKey, line, lines, orderOf, secureLink, sortOrder } from "#worker/platform/contract.ts";

export const campaignTypes = ["petition", "crowdfund"] as const;
export type CampaignType = (typeof campaignTypes)[number];
export const campaignStatuses = ["active", "closed"] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** More than a visitor reads through; the page has all that are active. */
export const MOST_CAMPAIGNS = 60;

const CampaignFields = z.strictObject({
  type: z.enum(campaignTypes),
  title: line(160, "A title has at most 160 characters.").min(1, "Title is required"),
  description: lines(2000, "A description has at most 2,000 characters."),
  /** The parliament's or the platform's number, such as EN8108. */
  reference: line(40, "A reference has at most 40 characters."),
  /** Framed only when its host is among the settings' frame hosts, else linked. */
  embedUrl: secureLink,
  status: z.enum(campaignStatuses),
  category: line(60, "A category has at most 60 characters."),
  sortOrder,
});
export type CampaignInput = z.output<typeof CampaignFields>;

/** Title and address are required; the rest has `campaignDefaults`, and its place is the last. */
export const NewCampaign = CampaignFields.partial()
  .required({ title: true, embedUrl: true })
  .extend({ draftKey });
export type NewCampaign = z.input<typeof NewCampaign>;

export const campaignDefaults = {
  type: "petition",
  description: "",
  reference: "",
  status: "active",
  category: "",
} as const satisfies Partial<CampaignInput>;

export const CampaignChange = CampaignFields.partial().extend({ basedOn });
export type CampaignChange = z.input<typeof CampaignChange>;

/** Every campaign's id once, in their new order. */
export const CampaignOrder = orderOf(MOST_CAMPAIGNS);
export type CampaignOrder = z.input<typeof CampaignOrder>;

/** An active campaign. */
export type Campaign = {
  id: number;
  type: CampaignType;
  title: string;
  description: string;
  reference: string;
  category: string;
  embedUrl: string;
};

/** A campaign in the owner's list. */
export type CampaignRow = Campaign & { status: CampaignStatus; sortOrder: number };
