import { z } from "zod";
import { line, lines, secureLink } from "#worker/platform/contract.ts";

export const campaignTypes = ["crowdfund", "petition"] as const;
export const campaignStatuses = ["active", "closed"] as const;

export const NewCampaign = z.strictObject({
  type: z.enum(campaignTypes).default("petition"),
  title: line(160).min(1, "Title is required"),
  description: lines(2000).default(""),
  /** The parliament's or the platform's number, such as EN8108. */
  reference: line(40).default(""),
  embedUrl: secureLink,
  status: z.enum(campaignStatuses).default("active"),
  category: line(60).default(""),
  sortOrder: z.int().min(-100_000).max(100_000).default(0),
});
export type NewCampaign = z.input<typeof NewCampaign>;

/** An active campaign. */
export type Campaign = {
  id: number;
  type: (typeof campaignTypes)[number];
  title: string;
  description: string;
  reference: string;
  category: string;
  embedUrl: string;
};
