import { z } from "zod";
import { IdParam } from "#worker/platform/contract.ts";

/** The kinds of items with versions. */
export const revisionKinds = ["article", "page", "episode"] as const;
export type RevisionKind = (typeof revisionKinds)[number];

/** A field that a save changed. */
export type FieldChange = {
  field: string;
  /** How many words a text gained or, below zero, lost; null for other fields and short texts. */
  words: number | null;
};

/** A saved version of an item, in the list of its versions. */
export type Revision = {
  id: number;
  /** Milliseconds UTC. */
  savedAt: number;
  /** The user's name at that time; null for a job, and for content older than the first version. */
  savedBy: string | null;
  /** Whether it was an autosave. */
  isAutomatic: boolean;
  /** When the restored version was saved, if this restores one. */
  restoredFrom: number | null;
  /** The differences from the previous version; null for the oldest stored one. */
  changes: FieldChange[] | null;
};

/** A version with what was saved. */
export type RevisionWithValues = Omit<Revision, "changes"> & { values: Record<string, unknown> };

/** A version in the path of a restore. */
export const RevisionParam = IdParam.extend({ revision: IdParam.shape.id });

export const RestoreInput = z.strictObject({
  /** The `updatedAt` of the version that the restored one replaces; a newer one is not overwritten. */
  basedOn: z.int().positive(),
});
export type RestoreInput = z.input<typeof RestoreInput>;
