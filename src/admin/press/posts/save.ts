import { api, ensureOk } from "#site/api.ts";
import { NewSocialPost } from "#worker/social/contract.ts";
import { dateTime, numberOrZero, text, textToChange } from "../../form/read.ts";
import { act, submit } from "../../form/submit.ts";

/** Saves a social post by `send`. Errors are shown in the form, and a toast reports the failure. */
export const savePost = <Answer>(form: FormData, send: (post: NewSocialPost) => Promise<Answer>) =>
  submit(form, { fields, schema: NewSocialPost, send, words: { toast: () => "Failed to save social post" } });

const fields = {
  draftKey: textToChange,
  platform: text,
  author: text,
  content: text,
  date: dateTime,
  likes: numberOrZero,
  comments: numberOrZero,
  shares: numberOrZero,
  url: text,
};

export const deletePost = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api["social-posts"][":id"].$delete({ param: { id: String(form.get("id")) } }));
      return "Social post deleted successfully";
    },
    { toast: (message) => `Failed to delete social post. ${message}` },
  );
