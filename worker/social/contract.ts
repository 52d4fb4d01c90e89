import { z } from "zod";
import { basedOn, draftKey, line, lines, secureLink } from "#worker/platform/contract.ts";

export const platforms = ["twitter", "linkedin", "youtube", "instagram"] as const;
export type Platform = (typeof platforms)[number];

/** How many of the newest the front page shows. */
export const SHOWN_POSTS = 4;

const WHOLE = "Enter a whole number of at most a billion.";
const count = z.int(WHOLE).min(0, WHOLE).max(1_000_000_000, WHOLE);

/** Milliseconds UTC of the end of the year 9999. */
const LAST_DATE = 253_402_300_799_999;

const PostFields = z.strictObject({
  platform: z.enum(platforms),
  author: line(100, "A name has at most 100 characters.").min(1, "Say who wrote it."),
  content: lines(2000, "A post has at most 2,000 characters.").min(1, "The post needs some text."),
  /** Milliseconds UTC. */
  date: z.int("Date is required").min(0, "Choose a date since 1970.").max(LAST_DATE, "Choose a date."),
  likes: count,
  comments: count,
  shares: count,
  /** An empty field in a form means none. */
  url: z.union([z.literal("").transform(() => null), z.null(), secureLink]),
});
export type PostInput = z.output<typeof PostFields>;

/** Network, author, words and date are required; the rest has `postDefaults`. */
export const NewSocialPost = PostFields.partial({
  likes: true,
  comments: true,
  shares: true,
  url: true,
}).extend({ draftKey });
export type NewSocialPost = z.input<typeof NewSocialPost>;

export const postDefaults = { likes: 0, comments: 0, shares: 0, url: null } as const;

export const SocialPostChange = PostFields.partial().extend({ basedOn });
export type SocialPostChange = z.input<typeof SocialPostChange>;

export type SocialPost = PostInput & { id: number };
