import { api } from "#site/api.ts";
import { NewProfile } from "#worker/profiles/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { rows, text, textOrNull, textToChange } from "../../form/read.ts";

export const PEOPLE = "/admin/podcast/people";

export const profileActions = itemActions({
  noun: "profile",
  api: api.profiles,
  list: PEOPLE,
  schema: NewProfile,
  fields: {
    draftKey: textToChange,
    name: text,
    about: text,
    imageFileId: textOrNull,
    imageAlt: text,
    links: rows(["label", "url"], ["label", "url"]),
  },
});
