import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { createSerialQueue } from "#site/ui/serial-queue.ts";
import { SortableList } from "#site/ui/sortable-list.tsx";
import { moved } from "#site/ui/sorting.ts";
import { act } from "../form/submit.ts";
import { RowActions } from "./row-actions.tsx";

type ListProps<Item> = {
  /** In the saved order. */
  items: Item[];
  label: string;
  /** What the order means to visitors. */
  hint: string;
  children: (item: Item) => ReactNode;
};

/** A list that its owner orders. The page sends each order to its own action, an `orderSaver`. */
export function OrderedList<Item extends { id: number; name: string }>({
  items: saved,
  label,
  hint,
  children,
}: ListProps<Item>) {
  const { items, reorder } = useOrder(saved);
  return (
    <>
      {items.length > 1 && (
        <p className="mb-4 max-w-xl text-sm text-muted">
          {`${hint} Drag them by their handles, or use the arrows.`}
        </p>
      )}
      <SortableList items={items} total={items.length} label={label} onMove={reorder}>
        {children}
      </SortableList>
    </>
  );
}

type RowProps = {
  name: string;
  /** Where it is edited. */
  to: string;
  detail: string;
  status: string;
  isShown: boolean;
  onDelete: () => void;
};

/** An item of the list, beside its handle. */
export const OrderedRow = ({ name, to, detail, status, isShown, onDelete }: RowProps) => (
  <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1 py-1">
    <div className="min-w-0 grow basis-full sm:basis-0">
      <Link
        to={to}
        dir="auto"
        className="inline-block py-0.5 font-medium wrap-anywhere underline-offset-4 hover:underline"
      >
        {name}
      </Link>
      <p className="text-sm wrap-anywhere text-muted">{detail}</p>
    </div>
    <Badge tone={isShown ? "accent" : "neutral"}>{status}</Badge>
    <div className="whitespace-nowrap max-sm:ml-auto">
      <RowActions to={to} name={name} onDelete={onDelete} />
    </div>
  </div>
);

/** The items in the order that is being saved, if one is. */
function useOrder<T extends { id: number }>(saved: T[]) {
  const { formData, submit } = useFetcher();
  const ids = formData && idsOf(formData);
  const items = ids ? saved.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) : saved;
  const reorder = (from: number, to: number) => {
    const order = moved(items, from, to).map(({ id }) => id);
    // Synchronously, so that a second press starts from this order even if rendering is slow.
    void submit({ intent: "reorder", ids: order.join(",") }, { method: "post", flushSync: true });
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
