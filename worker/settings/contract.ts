import { z } from "zod";

const link = z
  .url({ protocol: /^https$/, error: "Enter a full address that starts with https://." })
  .max(2000);

/** The site's identity, shown on every page. A link that is absent is not shown. */
export const Site = z.strictObject({
  name: z.string().trim().min(1, "Give the site a name.").max(100),
  description: z.string().trim().max(300).default(""),
  social: z.strictObject({ x: link, youtube: link, linkedin: link, instagram: link }).partial().default({}),
  /** Where else the podcast is listed; the RSS tile is the site's own feed. */
  platforms: z
    .strictObject({ youtube: link, apple: link, spotify: link, google: link, amazon: link })
    .partial()
    .default({}),
});
export type Site = z.infer<typeof Site>;
