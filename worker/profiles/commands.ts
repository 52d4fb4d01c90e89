import type { Context } from "#worker/platform/context.ts";
import { refusingBroken } from "#worker/platform/data/publishing.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { NewProfile, ProfileChange } from "#worker/profiles/contract.ts";
import { profileList } from "#worker/profiles/owner-queries.ts";

const refusingSecond = <T>(write: () => Promise<T>) =>
  refusingBroken(
    "UNIQUE constraint failed: profiles.slug",
    () => new AppError("conflict", "This person has a profile already. Change that one.", { field: "name" }),
    write,
  );

/** As `ItemUseCases.create`. @throws `conflict` also for a person who has a profile */
export const createProfile = (ctx: Context, input: NewProfile) =>
  refusingSecond(() => profileList.create(ctx, input));

/** As `ItemUseCases.update`. @throws `conflict` also for the name of a person who has a profile */
export const updateProfile = (ctx: Context, id: number, input: ProfileChange) =>
  refusingSecond(() => profileList.update(ctx, id, input));

export const deleteProfile = profileList.remove;
