import { z } from "zod";
import type { Picture } from "#worker/files/contract.ts";
import { basedOn, draftKey, fileId, line, lines, rowsOf, webLink } from "#worker/platform/contract.ts";

export const ProfileLink = z.strictObject({ label: line(60).min(1, "Name the link."), url: webLink });

const ProfileFields = z.strictObject({
  /** As episodes and the podcast name the person. */
  name: line(128).min(1, "Name is required"),
  /** Plain text. */
  about: lines(2000, "There is room for 2,000 characters about a person."),
  imageFileId: fileId,
  imageAlt: line(300, "A picture's description has at most 300 characters."),
  links: rowsOf(ProfileLink, { max: 10, key: "url" }),
});
export type ProfileInput = z.output<typeof ProfileFields>;

/** Only the name is required; the rest has `profileDefaults`. */
export const NewProfile = ProfileFields.partial().required({ name: true }).extend({ draftKey });
export type NewProfile = z.input<typeof NewProfile>;

export const ProfileChange = ProfileFields.partial().extend({ basedOn });
export type ProfileChange = z.input<typeof ProfileChange>;

export const profileDefaults: Omit<ProfileInput, "name"> = {
  about: "",
  imageFileId: null,
  imageAlt: "",
  links: [],
};

/** A person in the owner's list: named by an episode or the podcast, or with a profile. */
export type PersonRow = {
  /** Of the profile; null without one. */
  id: number | null;
  name: string;
  /** Published episodes. */
  episodes: number;
};

/** A person's page. */
export type PersonPage = {
  slug: string;
  name: string;
  /** The most frequent first. */
  roles: string[];
  about: string;
  picture: Picture | null;
  links: { label: string; url: string }[];
  /** Published episodes. */
  episodes: number;
};
