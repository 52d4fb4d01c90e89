import { api } from "#site/api.ts";
import { NewSocialPost } from "#worker/social/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { dateTime, numberOrZero, text, textToChange } from "../../form/read.ts";

export const postActions = itemActions({
  noun: "social post",
  api: api["social-posts"],
  list: "/admin/media/posts",
  schema: NewSocialPost,
  fields: {
    draftKey: textToChange,
    platform: text,
    author: text,
    content: text,
    date: dateTime,
    likes: numberOrZero,
    comments: numberOrZero,
    shares: numberOrZero,
    url: text,
  },
});
