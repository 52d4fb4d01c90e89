import { z } from "zod";
import type { Capability } from "#worker/access/contract.ts";
import { line, lines, markdown, rowsOf } from "#worker/platform/contract.ts";

const required = (max: number) => line(max).min(1, "Enter some text.");
const text = lines(600);
/** A section's heading, or the words of a link. */
const words = required(120);
/** Markdown, rendered to sanitised HTML on save. */
const prose = z.strictObject({ markdown: markdown(60_000, "At most 60,000 characters.").trim() });
const card = z.strictObject({ title: line(120).min(1, "Enter a title."), text });
const cards = (max: number) => rowsOf(card, { max, key: "title" });
/** The head of every page. */
const opening = { headline: required(160), standfirst: text };

export const messageTypes = ["speaking", "partnerships", "media", "general"] as const;
export type MessageType = (typeof messageTypes)[number];

/** The lead of the front page: the latest item of a kind, or of both. */
export const leads = ["episode", "essay", "newest"] as const;
export type LeadChoice = (typeof leads)[number];

const legal = z.strictObject({
  headline: required(160),
  standfirst: text,
  /** The day from which this text applies. */
  since: z.iso.date("Enter a day as yyyy-mm-dd."),
  body: prose,
});

/** The content of each page. Empty lists and texts are not shown. */
export const pageContents = {
  home: z.strictObject({
    /** Empty: the site's name. */
    headline: line(160),
    /** Empty: the site's description. */
    standfirst: text,
    lead: z.enum(leads),
    buildingTitle: words,
    /** Each links to a page of the site. */
    building: rowsOf(
      card.extend({ to: z.string().regex(/^\/(?!\/)[\w/-]*$/, "Enter a path of the site, such as /about.") }),
      { max: 6, key: "title" },
    ),
    principlesTitle: words,
    principles: cards(6),
    guestTitle: words,
    guestText: text,
    credentialsTitle: words,
    credentials: cards(12),
    enquiryTitle: words,
    enquiryText: text,
  }),
  about: z.strictObject({
    ...opening,
    arenas: cards(6),
    body: prose,
    quote: z.strictObject({ text, source: line(160) }),
    /** Above the pillars of The 3 Es, and the link to that page. */
    pillarsTitle: words,
    pillarsLink: words,
    timelineTitle: words,
    timeline: z.array(z.strictObject({ year: required(20), title: required(120), text })).max(20),
  }),
  mission: z.strictObject({ ...opening, statement: prose, pillarsTitle: words, pillarsLink: words }),
  "three-es": z.strictObject({
    ...opening,
    /** About, mission and this page show the same ones; only this page shows `body`. */
    pillars: rowsOf(card.extend({ body: prose }), { max: 6, key: "title" }),
    missionKicker: line(120),
    missionLink: words,
    contactKicker: line(120),
    contactLink: words,
  }),
  "media-kit": z.strictObject({
    ...opening,
    shortBio: text,
    longBio: prose,
    /** How to credit the host and the show, and what may be used. */
    credit: prose,
    requestTitle: words,
    requestText: text,
    /** Whether to show the site's own figures of the last 30 days next to the others. */
    showsMeasured: z.boolean().default(false),
  }),
  speaking: z.strictObject({
    ...opening,
    topicsTitle: words,
    topics: cards(12),
    /** Below the engagements. */
    invitation: words,
    /** Shown instead while there are none. */
    emptyTitle: words,
    emptyText: text,
  }),
  guest: z.strictObject({
    ...opening,
    stepsTitle: words,
    /** The steps, in order. */
    steps: cards(8),
    bodyTitle: words,
    /** Which guests the show looks for. */
    body: prose,
  }),
  contact: z.strictObject({
    ...opening,
    kinds: rowsOf(card.extend({ type: z.enum(messageTypes) }), { max: messageTypes.length, key: "type" }),
  }),
  booking: z.strictObject({
    ...opening,
    /** Points that help to get a quick answer. */
    points: cards(8),
  }),
  "privacy-policy": legal,
  "terms-of-service": legal,
};

export type PageSlug = keyof typeof pageContents;
export type PageInput<Slug extends PageSlug = PageSlug> = z.input<(typeof pageContents)[Slug]>;

/** The address of each page, in the order in which the admin area lists them. */
export const pagePaths = {
  home: "/",
  about: "/about",
  mission: "/mission",
  "three-es": "/three-es",
  "media-kit": "/media-kit",
  speaking: "/speaking",
  booking: "/speaking/book",
  guest: "/guest",
  contact: "/contact",
  "privacy-policy": "/privacy-policy",
  "terms-of-service": "/terms-of-service",
} satisfies Record<PageSlug, string>;

export const pageSlugs = Object.keys(pagePaths) as PageSlug[];

export const isPageSlug = (slug: string): slug is PageSlug => Object.hasOwn(pageContents, slug);

/** The capability to read and change a page's text: legal pages need that of the settings. */
export const capabilityOf = (slug: string): Capability =>
  slug === "privacy-policy" || slug === "terms-of-service" ? "settings" : "edit";

/** `basedOn` is the `updatedAt` that a change was made from. */
export const BasedOn = { basedOn: z.int().nonnegative().optional() };

/** A change of a page has all of its content. */
export type PageChange<Slug extends PageSlug = PageSlug> = PageInput<Slug> & { basedOn?: number };

/** A page in the owner's list. */
export type PageRow = {
  slug: PageSlug;
  /** Milliseconds UTC; zero while it has its default content. */
  updatedAt: number;
  /** Null if unknown. */
  savedBy: string | null;
};

/** A page as its owner edits it. */
export type EditablePage<Slug extends PageSlug = PageSlug> = {
  slug: Slug;
  /** As in `PageRow`. */
  updatedAt: number;
  values: PageInput<Slug>;
};

/** A page with unsaved content, as HTML without scripts. */
export type PagePreview = { html: string };

/** The same with each Markdown text as sanitised HTML. */
type Shown<T> = T extends { markdown: string }
  ? { html: string }
  : T extends object
    ? { [Key in keyof T]: Shown<T[Key]> }
    : T;

/** A page's content as visitors see it. */
export type PageContent<Slug extends PageSlug> = Shown<PageInput<Slug>>;
