import { z } from "zod";
import { line } from "#worker/platform/contract.ts";

export const engagementStatuses = ["upcoming", "completed", "cancelled"] as const;

/** The fields that the owner edits; only the title is required. */
export const NewEngagement = z.strictObject({
  title: line(255).min(1, "Title is required"),
  description: line(2000).default(""),
  /** Its day, yyyy-mm-dd; null while undecided. */
  date: z.iso.date("Enter a date.").nullable().default(null),
  venue: line(160).default(""),
  location: line(160).default(""),
  audienceSize: z.int("Audience size is a whole number.").min(0).max(1_000_000).nullable().default(null),
  status: z.enum(engagementStatuses).default("upcoming"),
  contactEmail: z.union([z.literal(""), z.email("Enter an e-mail address.").max(254)]).default(""),
  contactPhone: line(40).default(""),
  fee: z.number().min(0).max(10_000_000).nullable().default(null),
  notes: z.string().trim().max(5000).default(""),
});
export type NewEngagement = z.input<typeof NewEngagement>;

/** An engagement as visitors see it: nothing of contact, fee and notes. */
export type Engagement = {
  id: number;
  title: string;
  description: string;
  /** Its day, as milliseconds at midnight UTC. */
  date: number | null;
  venue: string;
  location: string;
  audienceSize: number | null;
};
