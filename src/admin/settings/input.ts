import { Site } from "#worker/settings/contract.ts";
import { podcastAppKeys } from "#worker/settings/podcast-apps.ts";
import { checkbox, number, numberOrNull, object, rows, text } from "../form/read.ts";

/** What the forms of the settings hold, each a part of the contract's `Site`. */

/** A blank link is omitted. */
const link = (form: FormData, name: string) => text(form, name)?.trim() || undefined;

const linksOf = <T extends string>(names: readonly T[]) =>
  object(Object.fromEntries(names.map((name) => [name, link])));

const tierRows = rows(["name", "price", "url", "benefits"]);
const tiers = (form: FormData, name: string) =>
  tierRows(form, name).map((tier) => ({
    ...tier,
    price: Number(tier.price.trim() || Number.NaN),
    url: tier.url.trim() || undefined,
    benefits: linesOf(tier.benefits),
  }));

const linesOf = (lines: string) =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const proofRows = rows(["network", "followers", "engagement", "url"]);
const socialProof = (form: FormData, name: string) =>
  proofRows(form, name).map((row) => ({ ...row, url: row.url.trim() || undefined }));

const hostRows = rows(["host"]);
const hosts = (form: FormData, name: string) => hostRows(form, name).map(({ host }) => host.trim());

export const generalForm = {
  schema: Site.omit({
    email: true,
    newsletter: true,
    members: true,
    memberFeeds: true,
    features: true,
    spam: true,
    retention: true,
    alerts: true,
    analytics: true,
    passwords: true,
    tagManager: true,
    transport: true,
    transcription: true,
    proposals: true,
    disclosesGenerated: true,
  }),
  fields: {
    name: text,
    description: text,
    language: text,
    timeZone: text,
    contactEmail: text,
    social: linksOf(["x", "youtube", "linkedin", "instagram"]),
    platforms: linksOf(podcastAppKeys),
    tiers,
    patronUrl: text,
    hubUrl: (form: FormData, name: string) => text(form, name)?.trim(),
    figures: object({
      asOf: text,
      listeners: text,
      reviewedWithin: text,
      conversationLength: text,
      mediaKit: rows(["label", "value"]),
    }),
    socialProof,
    frameHosts: hosts,
  },
};

export const emailForm = {
  schema: Site.pick({ email: true, newsletter: true }),
  fields: {
    email: object({ fromName: text, fromEmail: text, replyTo: text }),
    newsletter: object({
      welcomeSubject: text,
      welcomeText: text,
      postalAddress: text,
      archive: checkbox,
      countClicks: checkbox,
      perSecond: numberOrNull,
      batchSize: number,
      perDay: numberOrNull,
    }),
  },
};

export const featuresForm = {
  schema: Site.pick({
    features: true,
    spam: true,
    retention: true,
    passwords: true,
    tagManager: true,
    members: true,
    memberFeeds: true,
  }),
  fields: {
    members: object({ signIn: checkbox }),
    memberFeeds: object({ on: checkbox, graceDays: number }),
    features: object({
      newsletter: checkbox,
      comments: checkbox,
      guestSubmissions: checkbox,
      patreon: checkbox,
    }),
    spam: object({ words: (form, name) => linesOf(text(form, name) ?? ""), links: number }),
    retention: object({ enquiries: numberOrNull, comments: numberOrNull }),
    passwords: object({ breachService: (form, name) => text(form, name)?.trim() }),
    tagManager: object({
      id: (form, name) => text(form, name)?.trim().toUpperCase(),
      needsConsent: checkbox,
    }),
  },
};
