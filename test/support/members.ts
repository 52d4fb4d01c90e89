import type { NewMember } from "#worker/members/contract.ts";
import { createMember } from "#worker/members/owner-commands.ts";
import { createTier } from "#worker/members/tier-commands.ts";
import { ownerContext } from "./client.ts";
import { anAddress } from "./people.ts";

/** The id of a new tier. */
export const aTier = async (name = `Tier ${crypto.randomUUID()}`) =>
  (await createTier(ownerContext(), { name })).id;

/** A new member of a new tier, added by hand. */
export async function aMember({ email = anAddress(), ...membership }: Partial<NewMember> = {}) {
  const tierId = membership.tierId ?? (await aTier());
  return createMember(ownerContext(), { email, source: "by-hand", ...membership, tierId });
}
