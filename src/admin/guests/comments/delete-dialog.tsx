import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { counted } from "#site/ui/format.ts";
import { MailsStay } from "../../lists/list-page.tsx";
import type { OwnerComment } from "#worker/comments/contract.ts";

type Props = {
  comments: OwnerComment[] | null;
  /** One of them is being answered. */
  losesAnswer: boolean;
  onClose: () => void;
};

export function DeleteDialog({ comments, losesAnswer, onClose }: Props) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  const remove = () => {
    const ids = comments?.map(({ id }) => id).join(",") ?? "";
    void submit({ intent: "delete", ids }, { method: "post" });
  };
  const count = comments?.length ?? 0;
  return (
    <ConfirmDialog
      open={comments !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Are you sure you want to delete ${count === 1 ? "this comment" : counted(count, "comment")}?`}
      confirm={count === 1 ? "Delete comment" : "Delete comments"}
      busy={isBusy}
      onConfirm={remove}
    >
      <p>
        Their text, name and address are deleted. Answers stay, below a note that a comment was deleted.
        {losesAnswer && <span>{" Your answer isn’t published yet, and is lost too."}</span>}
      </p>
      <MailsStay />
    </ConfirmDialog>
  );
}
