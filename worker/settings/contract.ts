import { z } from "zod";
import { line, secureLink } from "#worker/platform/contract.ts";

/** Intl takes names of up to eight letters, too, for languages to come. */
const SHORT_LANGUAGE = /^[a-z]{2,3}(-|$)/;

function isAccepted(use: () => unknown) {
  try {
    use();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const card = z.strictObject({ title: line(120).min(1), text: line(600) });

/** The site's identity and texts that many pages share. An absent link is not shown. */
export const Site = z.strictObject({
  name: line(100).min(1, "Give the site a name."),
  description: line(300),
  /** Of pages, feeds and dates: a BCP 47 tag such as en-AU. */
  language: z
    .string()
    .refine(
      (tag) => SHORT_LANGUAGE.test(tag) && isAccepted(() => new Intl.Locale(tag)),
      "Enter a language code such as en-AU.",
    ),
  /** Of dates and schedules: an IANA name such as Australia/Sydney. */
  timeZone: z
    .string()
    .refine(
      (timeZone) => isAccepted(() => new Intl.DateTimeFormat("en", { timeZone })),
      "Enter a time zone such as Australia/Sydney.",
    ),
  /** Above the front page's hero actions. */
  headline: line(160),
  standfirst: line(600),
  /** Public; shown on the contact, guest and speaking pages. Empty for none. */
  contactEmail: z.union([z.literal(""), z.email("Enter an e-mail address.")]),
  social: z
    .strictObject({ x: secureLink, youtube: secureLink, linkedin: secureLink, instagram: secureLink })
    .partial(),
  /** Where else the podcast is listed; the RSS tile is the site's own feed. */
  platforms: z
    .strictObject({
      youtube: secureLink,
      apple: secureLink,
      spotify: secureLink,
      google: secureLink,
      amazon: secureLink,
    })
    .partial(),
  /** What I'm Building: three cards, each to a page of the site. */
  building: z.array(card.extend({ to: z.string().regex(/^\/[\w/-]*$/) })).max(6),
  principles: z.array(card).max(6),
  credentials: z.array(card).max(12),
  /** Supporter tiers, dollars a month. Without a link of its own a tier leads to the patron link. */
  tiers: z
    .array(
      z.strictObject({
        name: line(60).min(1),
        price: z.int().min(1).max(10_000),
        benefits: z.array(line(200)).max(12),
        url: secureLink.optional(),
      }),
    )
    .max(6),
  patronUrl: secureLink.optional(),
  /** The owner's own figures, and the month in which they were true (yyyy-mm). Empty ones are not shown. */
  figures: z.strictObject({
    asOf: z.union([z.literal(""), z.string().regex(/^\d{4}-\d{2}$/, "Enter a month as yyyy-mm.")]),
    listeners: line(30),
    reviewedWithin: line(30),
    conversationLength: line(30),
    mediaKit: z.array(z.strictObject({ label: line(60), value: line(30) })).max(12),
  }),
  /** Followers and engagement of each network; the total is a row of its own. */
  socialProof: z
    .array(
      z.strictObject({
        network: z.enum(["twitter", "linkedin", "youtube", "instagram", "total"]),
        followers: line(20),
        engagement: line(20),
        url: secureLink.optional(),
      }),
    )
    .max(6),
  /** Each switches its feature on the site and in the API. */
  features: z.strictObject({
    newsletter: z.boolean(),
    comments: z.boolean(),
    guestSubmissions: z.boolean(),
    patreon: z.boolean(),
  }),
  /** Hosts that a campaign may be framed from, such as www.aph.gov.au. */
  frameHosts: z
    .array(z.string().regex(/^[a-z0-9.-]+\.[a-z]{2,}$/, "Enter a host such as www.example.org."))
    .max(20),
});
export type Site = z.infer<typeof Site>;

/** What an update changes; the rest stays. */
export const SiteChange = Site.partial();
export type SiteChange = z.input<typeof SiteChange>;

/** The settings of a new site. */
export const siteDefaults: Site = {
  name: "Rostrum",
  description: "",
  language: "en-AU",
  timeZone: "Australia/Sydney",
  headline: "",
  standfirst: "",
  contactEmail: "",
  social: {},
  platforms: {},
  building: [],
  principles: [],
  credentials: [],
  tiers: [],
  figures: { asOf: "", listeners: "", reviewedWithin: "", conversationLength: "", mediaKit: [] },
  socialProof: [],
  features: { newsletter: true, comments: false, guestSubmissions: true, patreon: true },
  frameHosts: [],
};
