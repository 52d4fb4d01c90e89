import { api } from "#site/api.ts";
import { NewPressItem } from "#worker/press/contract.ts";
import { itemActions } from "../form/item-actions.ts";
import { checkbox, text, textToChange } from "../form/read.ts";
import { draftWords, isNewStatus } from "../form/saved-words.ts";
import { statusOf } from "./press-types.ts";

export const pressActions = itemActions({
  noun: "media item",
  api: api.press,
  list: "/admin/media",
  bin: "press",
  schema: NewPressItem,
  fields: {
    draftKey: textToChange,
    type: text,
    title: text,
    date: text,
    summary: text,
    content: text,
    outlet: text,
    mediaType: text,
    link: text,
    published: checkbox,
  },
});

/** The toast after a stored item was saved. */
export function updatedWords(form: FormData, isPublished = true) {
  const status = statusOf(isPublished);
  if (!isNewStatus(form, status)) return "Media item updated successfully";
  return status === "published" ? "Media item published successfully" : draftWords("Media item");
}
