import { z } from "zod";
import { IdParam } from "#worker/platform/contract.ts";

/** What keeps its former versions. */
export const revisionKinds = ["article", "page", "episode"] as const;
export type RevisionKind = (typeof revisionKinds)[number];

/** A field that a save changed. */
export type FieldChange = {
  field: string;
  /** How many words a text gained or, below zero, lost; null where it was none or stayed short. */
  words: number | null;
};

/** A saved version of an item, in the list of its versions. */
export type Revision = {
  id: number;
  /** Milliseconds UTC. */
  savedAt: number;
  /** The name at that time; null for a job, and for what stood there before versions were kept. */
  savedBy: string | null;
  /** Saved by itself while somebody typed. */
  isAutomatic: boolean;
  /** When the version was saved that this one restored. */
  restoredFrom: number | null;
  /** Against the version before it; null for the first one that is kept. */
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
