import type { LeadChoice, PageInput, PageSlug } from "#worker/pages/contract.ts";
import type { FieldWords } from "../form/compare/fields.tsx";

export const leadNames: Record<LeadChoice, string> = {
  episode: "The latest episode",
  essay: "The latest essay",
  newest: "Whichever is newer",
};

type Part = { [Slug in PageSlug]: keyof PageInput<Slug> }[PageSlug];

/** In the order of the forms. */
const labels: Record<Part, string> = {
  headline: "Headline",
  standfirst: "Standfirst",
  since: "In force since",
  lead: "Lead with",
  buildingTitle: "Heading of the blocks",
  building: "Blocks",
  principlesTitle: "Heading of the principles",
  principles: "Principles",
  guestTitle: "Heading of the invitation",
  guestText: "Invitation",
  credentialsTitle: "Heading of the credentials",
  credentials: "Credentials",
  enquiryTitle: "Heading of the enquiry",
  enquiryText: "Enquiry text",
  arenas: "Arenas",
  statement: "Statement",
  stepsTitle: "Heading of the steps",
  steps: "Steps",
  bodyTitle: "Heading of the text",
  body: "Text",
  quote: "Quote",
  pillarsTitle: "Heading of the three",
  pillarsLink: "Link to the page",
  pillars: "The three",
  timelineTitle: "Heading of the timeline",
  timeline: "Timeline",
  missionKicker: "Above the link to Mission",
  missionLink: "Link to Mission",
  contactKicker: "Above the link to Contact",
  contactLink: "Link to Contact",
  shortBio: "Short biography",
  longBio: "Long biography",
  credit: "How to credit",
  requestTitle: "Heading of the requests",
  requestText: "What to ask for",
  showsMeasured: "Show figures counted by this site",
  topicsTitle: "Heading of the topics",
  topics: "Topics",
  invitation: "Below the engagements",
  emptyTitle: "Heading without engagements",
  emptyText: "Text without engagements",
  kinds: "Kinds of message",
  points: "Points",
};

/** A page's content as labelled texts, for comparing versions. */
export const pageWords: FieldWords = {
  labels,
  inWords(field, value) {
    if (field === "lead") return leadNames[value as LeadChoice];
    if (typeof value === "boolean") return value ? "Yes" : "No";
    return typeof value === "object" && value !== null ? textIn(value) : undefined;
  },
};

/** A row's texts stand on lines of their own, and an empty line between two rows. */
function textIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textIn).join("\n\n");
  if (typeof value === "object" && value !== null)
    return Object.values(value).map(textIn).filter(Boolean).join("\n");
  return String(value);
}
