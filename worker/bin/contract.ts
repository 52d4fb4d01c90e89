import type { Capability } from "#worker/access/contract.ts";

/** The kinds of items that are deleted into the bin. */
export const binKinds = ["article", "episode", "press", "letter", "file", "enquiry"] as const;
export type BinKind = (typeof binKinds)[number];

/** What it takes to delete an item, to see it in the bin, to restore it and to delete it for good. */
export const binCapabilities: Record<BinKind, Capability> = {
  article: "edit",
  episode: "edit",
  press: "edit",
  letter: "audience",
  file: "edit",
  enquiry: "audience",
};

/** Days for which a deleted item can be restored. */
export const BIN_DAYS = 30;

/** A deleted item. Its key is its kind and id, such as `article:5`. */
export type BinItem = {
  key: string;
  kind: BinKind;
  title: string;
  /** The user who deleted it; null for a job. */
  deletedBy: string | null;
  /** Milliseconds UTC. */
  deletedAt: number;
  /** When it is deleted for good; milliseconds UTC. */
  endsAt: number;
};

export const kindOfKey = (key: string) => key.slice(0, key.indexOf(":")) as BinKind;
export const itemOfKey = (key: string) => key.slice(key.indexOf(":") + 1);
