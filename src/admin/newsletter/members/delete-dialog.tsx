import { DeleteDialog, MailsStay } from "../../lists/list-page.tsx";

type Props = {
  member: { id: number; email: string } | null;
  onClose: () => void;
  /** The target after the deletion: the list, from the member's own page. */
  goesTo?: "list";
};

export const DeleteMemberDialog = ({ member, onClose, goesTo }: Props) => (
  <DeleteDialog
    item={member}
    onClose={onClose}
    noun="member"
    sends={goesTo && { goesTo }}
    renderText={({ email }) => (
      <>
        <p className="wrap-anywhere">
          The membership of <span>{email}</span> is deleted for good. If they get letters, they still do. To
          stop it and remember that they were a member, end it instead.
        </p>
        <MailsStay />
      </>
    )}
  />
);
