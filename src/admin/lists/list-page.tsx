import { type ReactNode, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

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
  title?: string;
  /** Sent along with the item's id. */
  sends?: Record<string, string>;
};

export function DeleteDialog<Item extends { id: number | string }>({
  item,
  onClose,
  noun,
  title = `Are you sure you want to delete this ${noun}?`,
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
      title={title}
      confirm={confirm}
      busy={isBusy}
      onConfirm={() => item && void submit({ intent: "delete", id: item.id, ...sends }, { method: "post" })}
    >
      {item && renderText(item)}
    </ConfirmDialog>
  );
}

/**
 * The item that the deletion dialog is about. The dialog stays open until the list has reloaded, so that the focus
 * returns to a remaining row. `answer` is the page's `actionData`.
 */
export function useDeleteQuestion<T>(answer: unknown) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const [asked, setAsked] = useState<{ item: T; lastAnswer: unknown } | null>(null);
  // Cleared for good, because the next navigation removes the answer.
  if (asked && !isDeleting && asked.lastAnswer !== answer) setAsked(null);
  return {
    item: asked?.item ?? null,
    ask: (item: T) => setAsked({ item, lastAnswer: answer }),
    close: () => setAsked(null),
  };
}

/** A part of the question before a deletion: emails about a deleted item have their own retention (0020). */
export const MailsStay = () => (
  <p className="mt-3">
    Emails about this stay under Settings ▸ Email for 30 days. To delete them now, with everything else about
    the person, use Guests ▸ A person’s data.
  </p>
);
