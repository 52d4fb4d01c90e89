import { act } from "#site/admin/form/submit.ts";
import { DeleteDialog } from "#site/admin/lists/list-page.tsx";
import { api, ensureOk } from "#site/api.ts";

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

export const DeleteFileDialog = ({ file, onClose }: Props) => (
  <DeleteDialog
    item={file}
    onClose={onClose}
    noun="file"
    renderText={({ name }) => (
      <p className="wrap-anywhere">
        “<span>{name}</span>” moves to the bin for 30 days, and its link stops working. Nothing on the site
        uses it.
      </p>
    )}
  />
);
