import { asc } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { changedCredits } from "#worker/profiles/changed.ts";
import { findStoredFiles, requireStoredFile } from "#worker/files/stored.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { NewProfile, ProfileChange, profileDefaults, type PersonRow } from "#worker/profiles/contract.ts";
import { listCredits } from "#worker/episodes/credits.ts";
import { personSlug } from "#worker/profiles/slug.ts";
import { profiles } from "#worker/profiles/table.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Names that the owner's list shows. */
const MOST = 2000;

/**
 * The people whom episodes or the podcast name, those in the most episodes first, and profiles of people whom nothing names.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listPeople(ctx: Context) {
  requireCapability("edit", ctx);
  const [credits, rows] = await Promise.all([
    listCredits(ctx),
    ctx.db.select({ id: profiles.id, name: profiles.name }).from(profiles).orderBy(asc(profiles.name)),
  ]);
  const people = new Map<string, PersonRow>(rows.map((row) => [row.name, { ...row, episodes: 0 }]));
  for (const { name, episodes } of credits) {
    const person = people.get(name) ?? { id: null, name, episodes: 0 };
    people.set(name, { ...person, episodes: person.episodes + episodes });
  }
  const list = [...people.values()].toSorted((a, b) => b.episodes - a.episodes || compare(a.name, b.name));
  return wholeList(list.slice(0, MOST));
}

const { compare } = new Intl.Collator("en");

/** The daily sweep deletes the picture of a deleted profile. */
export const profileList = shortList({
  table: profiles,
  one: "profile",
  tag: "people",
  changes: (ctx, versions) => changedCredits(ctx, versions as { name?: string; slug?: string }[]),
  New: NewProfile,
  Change: ProfileChange,
  defaults: profileDefaults,
  async requireGiven(ctx, { imageFileId = null, name }) {
    if (imageFileId !== null) await requireStoredFile(ctx, imageFileId, "image", "imageFileId");
    if (name !== undefined && (await personSlug(name)) === "")
      throw new AppError("invalid", "A page needs a name with letters.", { field: "name" });
  },
  toColumns: async (_ctx, fields) => ({
    ...fields,
    ...(fields.name !== undefined && { slug: await personSlug(fields.name) }),
  }),
  readAround: (ctx, { imageFileId }) => findStoredFiles(ctx, imageFileId ? [imageFileId] : []),
  toEdited: (_ctx, { slug, ...values }, files) => ({
    slug,
    values,
    image: files.get(values.imageFileId ?? "") ?? null,
  }),
});

export const readProfileForEdit = profileList.readForEdit;
