import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { api, ensureOk } from "#site/api.ts";
import { act } from "#site/admin/form/submit.ts";

/** Deletes the file that a form names; `done` makes the action's answer. */
export const deleteFile = <Answer,>(form: FormData, id: string, done: () => Answer) =>
  act(
    form,
    async () => {
      await ensureOk(api.files[":id"].$delete({ param: { id } }));
      return done();
    },
    { toast: (message) => `Failed to delete file. ${message}` },
  );

export const FILE_DELETED = "File deleted successfully";

type Props = { file: { id: string; name: string } | null; onClose: () => void };

export function DeleteFileDialog({ file, onClose }: Props) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={file !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this file?"
      confirm="Delete file"
      busy={isBusy}
      onConfirm={() => file && void submit({ intent: "delete", id: file.id }, { method: "post" })}
    >
      <p className="wrap-anywhere">
        “<span>{file?.name}</span>” is deleted for good, and its link stops working. Nothing on the site uses
        it.
      </p>
    </ConfirmDialog>
  );
}
