import { replace } from "react-router";
import { api } from "#site/api.ts";
import { NewEngagement } from "#worker/speaking/contract.ts";
import { itemActions } from "../form/item-actions.ts";
import { numberOrNull, text, textOrNull, textToChange } from "../form/read.ts";
import { intentOf } from "../form/submit.ts";
import { dialogPaths } from "../lists/dialog-address.ts";

const LIST = "/admin/speaking";

export const engagementPaths = dialogPaths(LIST);

/** Engagements are created and edited in dialogs; the query string has the engagement's id. */
export async function saveEngagement(request: Request) {
  const form = await request.formData();
  const { searchParams } = new URL(request.url);
  const close = () => replace(engagementPaths.listPath(searchParams));
  switch (intentOf(form)) {
    case "add":
      return actions.create(form, close);
    case "edit":
      return actions.update(form, searchParams.get("edit") ?? "", { close });
    default:
      return actions.remove(form);
  }
}

const actions = itemActions({
  noun: "speaking engagement",
  api: api.engagements,
  list: LIST,
  schema: NewEngagement,
  fields: {
    draftKey: textToChange,
    title: text,
    description: text,
    date: textOrNull,
    venue: text,
    location: text,
    audienceSize: numberOrNull,
    status: text,
    contactEmail: text,
    contactPhone: text,
    fee: numberOrNull,
    notes: text,
  },
});
