import { z } from "zod";
import { line, lines, secureLink } from "#worker/platform/contract.ts";

export const platforms = ["twitter", "linkedin", "youtube", "instagram"] as const;
export type Platform = (typeof platforms)[number];

const count = z.int().min(0).max(1_000_000_000).default(0);

export const NewSocialPost = z.strictObject({
  platform: z.enum(platforms),
  author: line(100).min(1, "Say who wrote it."),
  content: lines(2000).min(1, "The post needs its words."),
  /** Milliseconds UTC. */
  date: z.int().min(0),
  likes: count,
  comments: count,
  shares: count,
  url: secureLink.nullable().default(null),
});
export type NewSocialPost = z.input<typeof NewSocialPost>;

export type SocialPost = {
  id: number;
  platform: Platform;
  author: string;
  content: string;
  /** Milliseconds UTC. */
  date: number;
  likes: number;
  comments: number;
  shares: number;
  url: string | null;
};
