import { useFetcher } from "react-router";
import { createSerialQueue } from "#site/ui/serial-queue.ts";
import { moved } from "#site/ui/sorting.ts";
import { act } from "../form/submit.ts";

/** A list that its owner orders in a SortableList. The page sends each order to its own action. */
const REORDER = "reorder";

/** The items in the order that is being saved, if one is. */
export function useOrder<T extends { id: number }>(saved: T[]) {
  const { formData, submit } = useFetcher();
  const ids = formData && idsOf(formData);
  const items = ids ? saved.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) : saved;
  const reorder = (from: number, to: number) => {
    const order = moved(items, from, to).map(({ id }) => id);
    // Synchronously, so that a second press starts from this order even if rendering is slow.
    void submit({ intent: REORDER, ids: order.join(",") }, { method: "post", flushSync: true });
  };
  return { items, reorder };
}

type Options = {
  send: (ids: number[]) => Promise<unknown>;
  /** The items in a toast: "Ventures". */
  noun: string;
};

/** The action for an order: sends orders one after another, and skips outdated ones. */
export function orderSaver({ send, noun }: Options) {
  const inTurn = createSerialQueue();
  let newest: FormData;
  return (form: FormData) => {
    newest = form;
    const save = () =>
      inTurn(async () => {
        if (form === newest) await send(idsOf(form));
      });
    return act(form, () => save().then(() => `${noun} reordered successfully`), {
      toast: (message) => `Failed to reorder ${noun.toLowerCase()}. ${message}`,
    });
  };
}

/** The order in a form. */
const idsOf = (form: FormData) => String(form.get("ids")).split(",").map(Number);
