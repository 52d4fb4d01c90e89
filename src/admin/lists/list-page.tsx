import type { ReactNode } from "react";
import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { useDeleteQuestion } from "./use-delete-question.ts";

type Question<Item> = {
  /** What is deleted: "venture". */
  noun: string;
  /** The button, if its noun is a shorter one. */
  confirm?: string;
  /** The question's text, below its title. */
  renderText: (item: Item) => ReactNode;
};

type PageProps<Item> = Question<Item> & {
  title: string;
  /** The buttons beside the title, to add an item. */
  actions: ReactNode;
  /** The page's `actionData`. */
  answer: unknown;
  /** The list itself. `ask` opens the question whether to delete an item. */
  children: (ask: (item: Item) => void) => ReactNode;
};

/** A list with a heading, and a question before one of its items is deleted. */
export function ListPage<Item extends { id: number | string }>({
  title,
  actions,
  answer,
  children,
  ...question
}: PageProps<Item>) {
  const deletion = useDeleteQuestion<Item>(answer);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">{title}</h1>
        {actions}
      </header>
      {children(deletion.ask)}
      <DeleteDialog item={deletion.item} onClose={deletion.close} {...question} />
    </>
  );
}

type DialogProps<Item> = Question<Item> & {
  item: Item | null;
  onClose: () => void;
  /** Sent along with the item's id. */
  sends?: Record<string, string>;
};

export function DeleteDialog<Item extends { id: number | string }>({
  item,
  onClose,
  noun,
  confirm = `Delete ${noun}`,
  renderText,
  sends,
}: DialogProps<Item>) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={item !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Are you sure you want to delete this ${noun}?`}
      confirm={confirm}
      busy={isBusy}
      onConfirm={() => item && void submit({ intent: "delete", id: item.id, ...sends }, { method: "post" })}
    >
      {item && renderText(item)}
    </ConfirmDialog>
  );
}
