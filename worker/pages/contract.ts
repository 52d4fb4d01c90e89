import { z } from "zod";
import { line, lines, markdown } from "#worker/platform/contract.ts";

const required = (max: number) => line(max).min(1, "Say something here.");
/** Markdown, rendered to sanitised HTML on save. */
const prose = z.strictObject({ markdown: markdown(60_000, "At most 60,000 characters.").trim() });
const card = z.strictObject({ title: required(120), text: lines(600) });
/** The head of every page. */
const opening = { headline: required(160), standfirst: lines(600) };

export const messageTypes = ["speaking", "partnerships", "media", "general"] as const;
export type MessageType = (typeof messageTypes)[number];

const legal = z.strictObject({
  headline: required(160),
  standfirst: lines(600),
  /** The day from which this text holds. */
  since: z.iso.date("Enter a day as yyyy-mm-dd."),
  body: prose,
});

/** The content of each page. Empty lists and texts are not shown. */
export const pageContents = {
  about: z.strictObject({
    ...opening,
    arenas: z.array(card).max(6),
    body: prose,
    timeline: z.array(z.strictObject({ year: required(20), title: required(120), text: lines(600) })).max(20),
    quote: z.strictObject({ text: lines(600), source: line(160) }),
  }),
  mission: z.strictObject({ ...opening, statement: prose }),
  "three-es": z.strictObject({
    ...opening,
    /** About, mission and this page show the same ones; only this page shows `body`. */
    pillars: z.array(card.extend({ body: prose })).max(6),
  }),
  "media-kit": z.strictObject({
    ...opening,
    shortBio: lines(600),
    longBio: prose,
    /** How to name the host and the show, and what may be used. */
    credit: prose,
  }),
  speaking: z.strictObject({ ...opening, topics: z.array(card).max(12) }),
  guest: z.strictObject({
    ...opening,
    /** What happens, in its order. */
    steps: z.array(card).max(8),
    /** Which guests the show looks for. */
    body: prose,
  }),
  contact: z.strictObject({
    ...opening,
    kinds: z.array(card.extend({ type: z.enum(messageTypes) })).max(messageTypes.length),
  }),
  booking: z.strictObject({
    ...opening,
    /** What helps to answer at once. */
    points: z.array(card).max(8),
  }),
  "privacy-policy": legal,
  "terms-of-service": legal,
};

export type PageSlug = keyof typeof pageContents;
export type PageInput<Slug extends PageSlug> = z.input<(typeof pageContents)[Slug]>;

/** The same with each Markdown text as sanitised HTML. */
type Shown<T> = T extends { markdown: string }
  ? { html: string }
  : T extends object
    ? { [Key in keyof T]: Shown<T[Key]> }
    : T;

/** A page's content as visitors see it. */
export type PageContent<Slug extends PageSlug> = Shown<PageInput<Slug>>;
