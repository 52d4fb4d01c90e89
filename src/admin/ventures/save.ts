import { api, ensureOk } from "#site/api.ts";
import { createSerialQueue } from "#site/ui/serial-queue.ts";
import { NewVenture } from "#worker/ventures/contract.ts";
import { checkbox, numberOrZero, text, textOrNull } from "../form/read.ts";
import { act, submit } from "../form/submit.ts";

/** Saves a venture by `send`. What went wrong stands in the form, and a toast says that it did. */
export const saveVenture = <Answer>(form: FormData, send: (venture: NewVenture) => Promise<Answer>) =>
  submit(form, { fields, schema: NewVenture, send, words: { toast: () => "Failed to save venture" } });

const fields = {
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

const inTurn = createSerialQueue();
let newest: FormData;

/** One order after the other; one that a newer one follows is not sent. */
export function reorderVentures(form: FormData) {
  newest = form;
  const send = () =>
    inTurn(async () => {
      if (form !== newest) return;
      await ensureOk(api.ventures.order.$put({ json: { ids: idsOf(form) } }));
    });
  return act(form, () => send().then(() => "Ventures reordered successfully"), {
    toast: (message) => `Failed to reorder ventures. ${message}`,
  });
}

/** The order that a form asks for. */
export const idsOf = (form: FormData) => String(form.get("ids")).split(",").map(Number);
