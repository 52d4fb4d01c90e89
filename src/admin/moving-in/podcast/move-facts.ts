import { movedEpisodes } from "../queued.ts";
import type { FactName, FeedFacts } from "#worker/imports/feed/contract.ts";

export const MOVE = movedEpisodes.path;
/** The same with the address of a feed filled in. */
export const moveOf = (feed: string) => `${MOVE}?feed=${encodeURIComponent(feed)}`;

const factLabels: Record<FactName, string> = {
  title: "Title",
  subtitle: "Subtitle",
  description: "Description",
  author: "Author",
  ownerName: "Owner’s name",
  ownerEmail: "Owner’s email",
  language: "Language",
  category: "Category",
  subcategory: "Subcategory",
  explicit: "Explicit",
  type: "Order of the episodes",
  copyright: "Copyright",
  funding: "Support links",
  updateFrequency: "How often it appears",
  updateRule: "How often, for apps",
  people: "People",
  complete: "No more episodes will come",
  blocked: "Hidden from directories",
  license: "Licence",
  licenseUrl: "Link to the licence",
  places: "Places",
  podroll: "Podcasts that it recommends",
  publisherUrl: "Publisher’s feed",
  publisherGuid: "Publisher’s podcast:guid",
  txts: "Texts for services (podcast:txt)",
  guid: "Directory ID (podcast:guid)",
  artwork: "Artwork",
};

const SHOWN = 160;

/** What a feed says of the podcast, in the order of the show's form. */
export const listFacts = (facts: FeedFacts) =>
  (Object.keys(factLabels) as FactName[])
    .filter((name) => facts[name] !== undefined)
    .map((name) => ({ name, label: factLabels[name], value: inWords(facts[name]).slice(0, SHOWN) }));

function inWords(value: FeedFacts[FactName]) {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return Array.isArray(value) ? value.map(rowInWords).join(", ") : (value ?? "");
}

function rowInWords(row: Extract<FeedFacts[FactName], unknown[]>[number]) {
  if ("name" in row) return row.name;
  if ("url" in row) return row.url;
  return row.text;
}
