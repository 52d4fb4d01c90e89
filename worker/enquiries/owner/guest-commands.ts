import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { EnquiryFields } from "#worker/enquiries/contract.ts";
import { EpisodeChoice, type EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { Person } from "#worker/episodes/contract.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";

/** Code units that the name of an episode's person may have. */
const MAX_NAME = 128;
/** Times that an episode is read anew, because somebody saved it meanwhile. */
const TRIES = 3;

/**
 * Makes an approved applicant a guest of an episode, with their link. Whoever is one already is not named twice.
 * @throws `unauthenticated`, `forbidden`; `invalid` as `updateEpisode`; `not_found`; `conflict` for an application that is
 * not approved, and an episode that is being saved elsewhere
 */
export async function addGuest(
  ctx: Context,
  id: number,
  input: EpisodeChoice,
): Promise<EnquiryDetails<"application">> {
  requireCapability("audience", ctx);
  const { episodeId } = parseInput(EpisodeChoice, input);
  const { box, name, fields } = await readEnquiryRow(ctx, "application", id);
  if (box !== "approved") throw new AppError("conflict", "Approve the application first.");
  const { linkedinProfile } = fields as EnquiryFields["application"];
  await nameGuest(ctx, episodeId, {
    name: shortened(name),
    role: "guest",
    group: "cast",
    href: linkedinProfile,
  });
  await ctx.db.update(enquiries).set({ episodeId, updatedAt: ctx.now }).where(eq(enquiries.id, id));
  return readEnquiry(ctx, "application", id);
}

async function nameGuest(ctx: Context, episodeId: number, guest: Person) {
  for (let tries = 1; ; tries++) {
    const { values, updatedAt } = await readEpisodeForEdit(ctx, episodeId);
    if (values.people.some((person) => isSame(person, guest))) return;
    try {
      await updateEpisode(ctx, episodeId, { people: [...values.people, guest], basedOn: updatedAt });
      return;
    } catch (error) {
      const isRetried = error instanceof AppError && error.code === "conflict" && tries < TRIES;
      if (!isRetried) throw error;
    }
  }
}

const isSame = (one: Person, other: Person) =>
  one.role === other.role &&
  (one.name.toLowerCase() === other.name.toLowerCase() || (one.href !== null && one.href === other.href));

/** Not within a pair of surrogates. */
const shortened = (name: string) => name.slice(0, MAX_NAME).replace(/[\ud800-\udbff]$/, "");
