import { api, ensureOk } from "#site/api.ts";
import { NewPressItem } from "#worker/press/contract.ts";
import { checkbox, text, textToChange } from "../form/read.ts";
import { act, submit } from "../form/submit.ts";
import { draftWords, isNewStatus } from "../form/saved-words.ts";
import { statusOf } from "./press-types.ts";

/** Saves a media item by `send`. Errors are shown in the form, and a toast reports the failure. */
export const savePressItem = <Answer>(form: FormData, send: (item: NewPressItem) => Promise<Answer>) =>
  submit(form, { fields, schema: NewPressItem, send, words: { toast: () => "Failed to save media item" } });

/** The toast after a stored item was saved. */
export function updatedWords(form: FormData, isPublished = true) {
  const status = statusOf(isPublished);
  if (!isNewStatus(form, status)) return "Media item updated successfully";
  return status === "published" ? "Media item published successfully" : draftWords("Media item");
}

const fields = {
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
};

export const deletePressItem = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api.press[":id"].$delete({ param: { id: String(form.get("id")) } }));
      return "Media item deleted successfully";
    },
    { toast: (message) => `Failed to delete media item. ${message}` },
  );
