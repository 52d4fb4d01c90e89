import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { MailsStay } from "../../lists/mail-retention.tsx";

type Props = {
  subscriber: { id: string; email: string } | null;
  onClose: () => void;
  /** The target after the deletion: the list, from the subscriber's own page. */
  goesTo?: "list";
};

export function DeleteDialog({ subscriber, onClose, goesTo }: Props) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  const remove = () =>
    subscriber &&
    void submit({ intent: "delete", id: subscriber.id, ...(goesTo && { goesTo }) }, { method: "post" });
  return (
    <ConfirmDialog
      open={subscriber !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this subscriber?"
      confirm="Delete subscriber"
      busy={isBusy}
      onConfirm={remove}
    >
      <p className="wrap-anywhere">
        The subscription of <span>{subscriber?.email}</span> is deleted. If they unsubscribed, that’s
        forgotten too, and a later import may add them again. To make sure they get no letters, unsubscribe
        them instead.
      </p>
      <MailsStay />
    </ConfirmDialog>
  );
}
