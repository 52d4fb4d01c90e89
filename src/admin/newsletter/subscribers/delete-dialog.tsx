import { DeleteDialog, MailsStay } from "../../lists/list-page.tsx";

type Props = {
  subscriber: { id: string; email: string } | null;
  onClose: () => void;
  /** The target after the deletion: the list, from the subscriber's own page. */
  goesTo?: "list";
};

export const DeleteSubscriberDialog = ({ subscriber, onClose, goesTo }: Props) => (
  <DeleteDialog
    item={subscriber}
    onClose={onClose}
    noun="subscriber"
    sends={goesTo && { goesTo }}
    renderText={({ email }) => (
      <>
        <p className="wrap-anywhere">
          The subscription of <span>{email}</span> is deleted, and their membership, if they have one. If they
          unsubscribed, that’s forgotten too, and a later import may add them again. To make sure they get no
          letters, unsubscribe them instead.
        </p>
        <MailsStay />
      </>
    )}
  />
);
