import { z } from "zod";
import { SECURITY_EVENTS } from "#worker/accounts/contract.ts";
import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import {
  languageTag,
  line,
  lines,
  markdown,
  optionalEmail,
  rowsOf,
  secureLink,
  webLink,
} from "#worker/platform/contract.ts";
import { services } from "#worker/models/contract.ts";
import { DEFAULT_PRICES, DEFAULT_TEXT_MODEL } from "#worker/proposals/contract.ts";
import { DEFAULT_MODEL, DEFAULT_PRICE } from "#worker/transcription/contract.ts";
import { podcastAppKeys, type PodcastAppKey } from "#worker/settings/podcast-apps.ts";

/** Whether Intl supports the time zone; former names count, too. */
export function isTimeZone(timeZone: string) {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const PER_SECOND = "Enter a whole number from 1 to 500, or leave it blank.";
const BATCH_SIZE = "Enter a whole number from 10 to 100.";
const PER_DAY = "Enter a whole number of at least 50, or leave it blank.";

const GRACE = "Enter whole days from 0 to 60.";

const KEEP_DAYS = "Enter whole days from 7 to 400.";
const NETWORK = "Enter a network such as 192.0.2.0/24, or a number such as AS16509.";

const TAG_MANAGER = "Enter a container such as GTM-AB12CD3, or leave it blank.";

const LINKS = "Enter a whole number from 0 to 100.";
const MONTHS = "Enter whole months from 1 to 120, or leave it blank.";
const PRICE = "Enter dollars a minute from 0 to 100, such as 0.0005.";
const TOKEN_PRICE = "Enter dollars a million tokens from 0 to 1000, such as 0.29.";
const WAIT = "Enter whole seconds from 10 to 300.";
const months = z.union([z.null(), z.int(MONTHS).min(1, MONTHS).max(120, MONTHS)]);

/** The site's identity and texts that many pages share. An absent link is not shown. */
export const Site = z.strictObject({
  name: line(100).min(1, "Give the site a name."),
  description: lines(300),
  /** Of pages, feeds and dates: a BCP 47 tag such as en-AU. */
  language: languageTag,
  /** Of dates and schedules: an IANA name such as Australia/Sydney. */
  timeZone: z.string().refine(isTimeZone, "Enter a time zone such as Australia/Sydney."),
  /** Public; shown on the contact, guest and speaking pages. Empty for none. */
  contactEmail: optionalEmail,
  social: z
    .strictObject({ x: secureLink, youtube: secureLink, linkedin: secureLink, instagram: secureLink })
    .partial(),
  /** Where else the podcast is listed; the RSS tile is the site's own feed. */
  platforms: z
    .strictObject({
      ...(Object.fromEntries(podcastAppKeys.map((key) => [key, secureLink])) as Record<
        PodcastAppKey,
        typeof secureLink
      >),
      /** Google Podcasts closed in 2024. Accepted, so that former settings and exports remain valid; not shown. */
      google: secureLink,
    })
    .partial(),
  /** Supporter tiers, dollars a month. A tier without its own link uses the patron link. */
  tiers: rowsOf(
    z.strictObject({
      name: line(60).min(1, "Give the tier a name."),
      price: z
        .int("Enter whole dollars, from 1 to 10,000.")
        .min(1, "Enter whole dollars, from 1 to 10,000.")
        .max(10_000, "Enter whole dollars, from 1 to 10,000."),
      benefits: z
        .array(line(200))
        .max(12)
        .refine((benefits) => new Set(benefits).size === benefits.length, "Two benefits are the same."),
      url: secureLink.optional(),
    }),
    { max: 6, key: "name" },
  ),
  /** Empty for none. */
  patronUrl: z.union([z.literal(""), secureLink]),
  /** The owner's own figures, and the month in which they were true (yyyy-mm). Empty ones are not shown. */
  figures: z.strictObject({
    asOf: z.union([z.literal(""), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Enter a month as yyyy-mm.")]),
    listeners: line(30),
    reviewedWithin: line(30),
    conversationLength: line(30),
    mediaKit: rowsOf(
      z.strictObject({
        label: line(60).min(1, "Say what the figure counts."),
        value: line(30).min(1, "Enter the figure."),
      }),
      { max: 12, key: "label" },
    ),
  }),
  /** Followers and engagement of each network; the total is a row of its own. */
  socialProof: rowsOf(
    z.strictObject({
      network: z.enum(["twitter", "linkedin", "youtube", "instagram", "total"]),
      followers: line(20).min(1, "Enter the number of followers."),
      engagement: line(20),
      url: secureLink.optional(),
    }),
    { max: 6, key: "network" },
  ),
  /** The sender of the site's emails. If empty: the site's name, `MAIL_FROM`, and no reply-to. */
  email: z.strictObject({
    fromName: line(100),
    fromEmail: optionalEmail,
    replyTo: optionalEmail,
  }),
  newsletter: z.strictObject({
    /** Sent when an address is confirmed; none with an empty subject. The text is Markdown. */
    welcomeSubject: line(200),
    welcomeText: markdown(20_000, "The welcome email is too long."),
    /** In the footer of each letter, as laws on commercial email require; empty for none. */
    postalAddress: lines(300),
    /** Whether letters can be read on the site, under /letters. */
    archive: z.boolean(),
    /** Whether links of letters go through a click counter, which does not store who clicked. */
    countClicks: z.boolean(),
    /** Letters per second; null for no limit. */
    perSecond: z.union([z.null(), z.int(PER_SECOND).min(1, PER_SECOND).max(500, PER_SECOND)]),
    /** Letters that are submitted before their outcome is stored. */
    batchSize: z.int(BATCH_SIZE).min(10, BATCH_SIZE).max(100, BATCH_SIZE),
    /** Letters in a day (UTC); null for no limit. */
    perDay: z.union([z.null(), z.int(PER_DAY).min(50, PER_DAY).max(10_000_000, PER_DAY)]),
  }),
  members: z.strictObject({
    /** Whether members can sign in, at /account. */
    signIn: z.boolean(),
  }),
  /** A feed of the podcast for each member, at an address of their own. */
  memberFeeds: z.strictObject({
    on: z.boolean(),
    /** For which a feed stays open after the membership has ended. */
    graceDays: z.int(GRACE).min(0, GRACE).max(60, GRACE),
  }),
  /** Each switches its feature on the site and in the API. */
  features: z.strictObject({
    newsletter: z.boolean(),
    comments: z.boolean(),
    guestSubmissions: z.boolean(),
    patreon: z.boolean(),
  }),
  /** What classifies a visitor's text as spam; nothing is refused. */
  spam: z.strictObject({
    /** Words and parts of addresses, in any case. */
    words: z
      .array(line(80, "A word has at most 80 characters.").min(2, "A word has at least two characters."))
      .max(500, "At most 500 words."),
    /** Maximum links in a text. */
    links: z.int(LINKS).min(0, LINKS).max(100, LINKS),
  }),
  /** Months after which enquiries, and comments that are not shown, are deleted; null to keep them. */
  retention: z.strictObject({ enquiries: months, comments: months }),
  /** Entries of the security log that the owner gets an email about. */
  alerts: z.strictObject({ kinds: z.array(z.enum(SECURITY_EVENTS)).max(SECURITY_EVENTS.length) }),
  analytics: z.strictObject({
    /** Days that single events and downloads are kept; their sums stay. */
    keepDays: z.int(KEEP_DAYS).min(7, KEEP_DAYS).max(400, KEEP_DAYS),
    /** Whether the podcast feed routes its audio through op3.dev, which publishes its figures. */
    op3: z.boolean(),
    /** Data centres whose downloads are not counted, besides the known ones: AS16509, 192.0.2.0/24. */
    dataCentres: z
      .array(z.string().regex(/^(?:AS\d{1,10}|[0-9a-fA-F.:]{2,45}\/\d{1,3})$/, NETWORK))
      .max(200, "At most 200 networks."),
    /** Apps besides the known ones, by the beginning of their user agent. */
    apps: rowsOf(
      z.strictObject({
        name: line(40).min(1, "Give the app a name."),
        startsWith: line(80).min(2, "Enter the start of its user agent."),
      }),
      { max: 50, key: "startsWith" },
    ),
  }),
  passwords: z.strictObject({
    /** Has the range API of Have I Been Pwned, and is asked whether a new password has leaked. Empty: none is asked. */
    breachService: z.union([z.literal(""), webLink]),
  }),
  tagManager: z.strictObject({
    /** A container of Google Tag Manager; empty for none. Without one nothing of it is loaded. */
    id: z.union([z.literal(""), z.string().regex(/^GTM-[A-Z0-9]{4,12}$/, TAG_MANAGER)]),
    /** Whether it is loaded only for visitors who agree. */
    needsConsent: z.boolean(),
  }),
  transport: z.strictObject({
    /** Whether the domain may be entered in the list of those that browsers open by HTTPS only (hstspreload.org). */
    preload: z.boolean(),
  }),
  /** What generates transcripts of recordings. */
  transcription: z.strictObject({
    service: z.enum(services),
    /** Of the server: of its API, or of the transcriptions themselves. */
    url: z.union([z.literal(""), webLink]),
    model: line(120).min(1, "Enter the name of a model."),
    /** In dollars. */
    pricePerMinute: z.number(PRICE).min(0, PRICE).max(100, PRICE),
    /** For the answer to a piece of some minutes. */
    waitSeconds: z.int(WAIT).min(10, WAIT).max(300, WAIT),
    /** Whether each recording that is added to an episode without a transcript is transcribed. */
    eachRecording: z.boolean(),
  }),
  /** What proposes texts from transcripts. */
  proposals: z.strictObject({
    service: z.enum(services),
    /** Of the server: of its API, or of the chat completions themselves. */
    url: z.union([z.literal(""), webLink]),
    model: line(120).min(1, "Enter the name of a model."),
    /** In dollars a million tokens. */
    inputPrice: z.number(TOKEN_PRICE).min(0, TOKEN_PRICE).max(1000, TOKEN_PRICE),
    outputPrice: z.number(TOKEN_PRICE).min(0, TOKEN_PRICE).max(1000, TOKEN_PRICE),
    /** For the answer to a part of a transcript. */
    waitSeconds: z.int(WAIT).min(10, WAIT).max(300, WAIT),
  }),
  /** Whether the feed and the pages of episodes say what of them a model wrote. */
  disclosesGenerated: z.boolean(),
  /** The WebSub hub that is pinged when a feed changes. Empty for none. */
  hubUrl: z.union([z.literal(""), webLink]),
  /** Hosts that a campaign may be framed from, such as www.aph.gov.au. */
  frameHosts: z
    .array(z.string().regex(/^[a-z0-9.-]+\.[a-z]{2,}$/, "Enter a host such as www.example.org."))
    .max(20),
});
export type Site = z.infer<typeof Site>;

/** The parts that an update changes; the rest stays. `basedOn` is the `updatedAt` that it was made from. */
export const SiteChange = Site.partial().extend({ basedOn: z.int().nonnegative().optional() });
export type SiteChange = z.input<typeof SiteChange>;

/** The settings as the admin area reads them. */
export type Settings = {
  site: Site;
  /** Milliseconds UTC; zero before the first change. */
  updatedAt: number;
  /** The public address, set by `SITE_URL`. */
  siteUrl: string;
  /** The mailbox of `MAIL_FROM`. */
  mailFrom: string;
  /** How emails and letters leave, and whether the provider's bounce reports are accepted. */
  mail: { mails: MailWay; letters: LetterWay; takesReports: boolean };
};

export type PreloadState = {
  /** Whether the domain may be entered in the preload list. */
  isAllowed: boolean;
  /** Whether this user may change that. */
  mayChange: boolean;
};

/** The kind of a test email: letters may use another provider than emails. */
export const TestMail = z.strictObject({ as: z.enum(["mail", "letter"]).default("mail") });
export type TestMail = z.input<typeof TestMail>;

/** The result of a test mail. */
export type TestMailResult = {
  to: string;
  isAccepted: boolean;
  /** The mail server's answer, or why there is none. */
  answer: string;
};

export const DEMO_NAME = "Imogen Tarrant";
/** Names that are not the owner's choice: a new site's, and the demo's. */
export const sampleNames = ["Rostrum", DEMO_NAME];

/** The settings of a new site. */
export const siteDefaults: Site = {
  name: "Rostrum",
  description: "",
  language: "en-AU",
  timeZone: "Australia/Sydney",
  contactEmail: "",
  social: {},
  platforms: {},
  tiers: [],
  patronUrl: "",
  figures: { asOf: "", listeners: "", reviewedWithin: "", conversationLength: "", mediaKit: [] },
  socialProof: [],
  email: { fromName: "", fromEmail: "", replyTo: "" },
  newsletter: {
    welcomeSubject: "",
    welcomeText: "",
    postalAddress: "",
    archive: false,
    countClicks: false,
    perSecond: null,
    batchSize: 80,
    perDay: null,
  },
  members: { signIn: false },
  memberFeeds: { on: false, graceDays: 3 },
  features: { newsletter: true, comments: false, guestSubmissions: true, patreon: true },
  spam: { words: [], links: 2 },
  retention: { enquiries: 24, comments: 12 },
  alerts: { kinds: [] },
  analytics: { keepDays: 90, op3: false, dataCentres: [], apps: [] },
  passwords: { breachService: "" },
  tagManager: { id: "", needsConsent: true },
  transport: { preload: false },
  transcription: {
    service: "off",
    url: "",
    model: DEFAULT_MODEL,
    pricePerMinute: DEFAULT_PRICE,
    waitSeconds: 30,
    eachRecording: false,
  },
  proposals: {
    service: "off",
    url: "",
    model: DEFAULT_TEXT_MODEL,
    inputPrice: DEFAULT_PRICES.input,
    outputPrice: DEFAULT_PRICES.output,
    waitSeconds: 60,
  },
  disclosesGenerated: false,
  hubUrl: "",
  frameHosts: [],
};
