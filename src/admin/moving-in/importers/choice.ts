import { oldAddressOf } from "#worker/articles/contract.ts";
import type { MovedArticle } from "#worker/imports/importers/contract.ts";
import type { ForeignPost } from "./export.ts";

/** What the owner wants to import. */
export type Choice = {
  posts: boolean;
  drafts: boolean;
  pages: boolean;
  /** Published episodes of a podcast as articles; their feed imports them as episodes. Included unless false. */
  episodes?: boolean;
  /** Old addresses of posts that are episodes here lead to those, unless this is false. */
  joined?: boolean;
  /** Whether all items become drafts. */
  asDrafts?: boolean;
};

export type Row = {
  key: string;
  kind: ForeignPost["kind"];
  title: string;
  status: MovedArticle["status"];
  /** Milliseconds UTC. */
  at: number | null;
  pictures: number;
  /** Its address here; empty if its title gives one. */
  slug: string;
  addresses: string[];
  notes: string[];
  /** Of the article that was made of it before. */
  known: { id: number; slug: string } | null;
  /** For an episode of a podcast; `feed` is its likely address, and `here` the existing episode. */
  audio: { url: string | null; feed: string | null; here: number | null } | null;
  guid: string | null;
  authors: string[];
};

export type Plan = {
  rows: Row[];
  /** By the reason, how many were left out, and the titles of the first. */
  leftOut: Map<string, { count: number; titles: string[] }>;
  /** Different pictures of all texts. */
  pictures: number;
  authors: string[];
  remarks: string[];
  siteUrl: string | null;
};

export const kindOf = ({ kind, status, audio }: Pick<Row, "kind" | "status" | "audio">) =>
  kind === "page" ? "pages" : status === "draft" ? "drafts" : audio ? "episodes" : "posts";

export const isChosen = (row: Pick<Row, "kind" | "status" | "audio">, choice: Choice) =>
  choice[kindOf(row)] !== false;

/** It was made of it before: an article, or an episode. */
export const isHere = ({ known, audio }: Pick<Row, "known" | "audio">) =>
  known !== null || (audio?.here ?? null) !== null;

/** The items to import: chosen, and not here already. */
export const comingOf = ({ rows }: Plan, choice: Choice) =>
  rows.filter((row) => !isHere(row) && isChosen(row, choice));

/** Posts that are episodes here, whose old addresses lead to those from now on. */
export const joinedOf = ({ rows }: Plan, choice: Choice) =>
  choice.joined === false ? [] : rows.filter(({ audio, addresses }) => audio?.here && addresses.length > 0);

/** The status after the import. */
export const statusOf = ({ kind, status }: Pick<Row, "kind" | "status">, { asDrafts }: Choice) =>
  kind === "page" || asDrafts ? "draft" : status;

/** The path here by each address of the old site: of items to import that are public, and of items imported before. */
export function pathsOf({ rows }: Pick<Plan, "rows">, choice: Choice) {
  const paths = new Map<string, string>();
  for (const row of rows) {
    const to = pathOf(row, choice);
    if (!to) continue;
    for (const address of row.addresses) {
      const old = oldAddressOf(address);
      if (old !== null && !paths.has(old)) paths.set(old, to);
    }
  }
  return (address: string) => {
    const old = oldAddressOf(address);
    return old === null ? null : (paths.get(old) ?? null);
  };
}

/** Where its title gives the address, the old one leads there. */
function pathOf(row: Row, choice: Choice) {
  if (row.known) return `/essays/${row.known.slug}`;
  if (row.audio?.here) return `/episode/${row.audio.here}`;
  if (statusOf(row, choice) === "draft" || !isChosen(row, choice)) return null;
  return row.slug === "" ? (row.addresses[0] ?? null) : `/essays/${row.slug}`;
}
