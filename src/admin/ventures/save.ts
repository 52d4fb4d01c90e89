import { api, ensureOk } from "#site/api.ts";
import { NewVenture } from "#worker/ventures/contract.ts";
import { checkbox, numberOrZero, text, textOrNull, textToChange } from "../form/read.ts";
import { act, submit } from "../form/submit.ts";
import { orderSaver } from "../lists/order.ts";

/** Saves a venture by `send`. Errors are shown in the form, and a toast says that saving failed. */
export const saveVenture = <Answer>(form: FormData, send: (venture: NewVenture) => Promise<Answer>) =>
  submit(form, { fields, schema: NewVenture, send, words: { toast: () => "Failed to save venture" } });

const fields = {
  draftKey: textToChange,
  name: text,
  url: text,
  description: text,
  icon: text,
  sortOrder: numberOrZero,
  imageFileId: textOrNull,
  active: checkbox,
};

export const deleteVenture = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api.ventures[":id"].$delete({ param: { id: String(form.get("id")) } }));
      return "Venture deleted successfully";
    },
    { toast: (message) => `Failed to delete venture. ${message}` },
  );

export const reorderVentures = orderSaver({
  noun: "Ventures",
  send: (ids) => ensureOk(api.ventures.order.$put({ json: { ids } })),
});
