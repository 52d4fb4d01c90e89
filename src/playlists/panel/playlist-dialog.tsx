import { useStore } from "jotai";
import { useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { ConfirmDialog, Dialog } from "#site/ui/dialog.tsx";
import { TextField } from "#site/ui/field.tsx";
import { Switch } from "#site/ui/switch.tsx";
import type { NewPlaylist, Playlist } from "#worker/playlists/contract.ts";
import { createPlaylist, deletePlaylist, updatePlaylist } from "../lists.ts";
import { errorMessage } from "../error-message.ts";
import { useAttempt } from "../use-attempt.ts";

type OpenProps = { open: boolean; onOpenChange: (open: boolean) => void };

type CreateProps = OpenProps & { onCreated?: (playlist: Playlist) => void };

export function CreateDialog({ open, onOpenChange, onCreated }: CreateProps) {
  const store = useStore();
  const create = async (input: NewPlaylist) => {
    const playlist = await createPlaylist(store, input);
    onOpenChange(false);
    onCreated?.(playlist);
  };
  return (
    <Dialog closesOnBack open={open} onOpenChange={onOpenChange} title="Create New Playlist">
      <PlaylistForm submit="Create Playlist" onSubmit={create} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

export function EditDialog({ open, onOpenChange, playlist }: OpenProps & { playlist: Playlist }) {
  const store = useStore();
  const save = async (input: NewPlaylist) => {
    await updatePlaylist(store, playlist.id, input);
    onOpenChange(false);
  };
  return (
    <Dialog closesOnBack open={open} onOpenChange={onOpenChange} title="Edit playlist">
      <PlaylistForm playlist={playlist} submit="Save" onSubmit={save} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

type DeleteProps = OpenProps & { playlist: Playlist; onDeleted: () => void };

export function DeleteDialog({ open, onOpenChange, playlist, onDeleted }: DeleteProps) {
  const { id, name, isPublic } = playlist;
  const store = useStore();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await attempt(`${name} wasn’t deleted`, async () => {
      await deletePlaylist(store, id);
      onDeleted();
    });
    setBusy(false);
    onOpenChange(false);
  };
  return (
    <ConfirmDialog
      closesOnBack
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${name}?`}
      confirm="Delete playlist"
      busy={isBusy}
      onConfirm={() => void remove()}
    >
      {isPublic ? "Its link and feed stop working too. The episodes stay." : "The episodes stay."}
    </ConfirmDialog>
  );
}

type FormProps = {
  /** The playlist to edit; absent for a new one. */
  playlist?: Playlist;
  submit: string;
  onSubmit: (input: NewPlaylist) => Promise<void>;
  onCancel: () => void;
};

/** Shows errors beside their fields, the first of which gets the focus, or above the buttons. Input stays. */
function PlaylistForm({ playlist, submit, onSubmit, onCancel }: FormProps) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = inputOf(new FormData(form));
    if (!input.name || isBusy) return;
    setBusy(true);
    setErrors({});
    setFailure(null);
    try {
      await onSubmit(input);
    } catch (error) {
      console.warn(error);
      const refused = errorsOf(error);
      flushSync(() => {
        setErrors(refused);
        setFailure(Object.keys(refused).length === 0 ? errorMessage(error) : null);
        setBusy(false);
      });
      form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    }
  };
  const correct = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    setErrors((now) => ({ ...now, [name]: "" }));
  };
  return (
    <form onSubmit={(event) => void send(event)} onInput={correct} className="playlists">
      <div className="grid gap-4">
        <TextField
          label="Playlist Name"
          name="name"
          data-first-focus
          placeholder="Enter playlist name"
          maxLength={120}
          autoComplete="off"
          defaultValue={playlist?.name}
          error={errors["name"]}
        />
        <TextField
          label="Description (Optional)"
          name="description"
          maxLength={500}
          autoComplete="off"
          defaultValue={playlist?.description}
          error={errors["description"]}
        />
        <Switch
          label="Make playlist public"
          name="isPublic"
          defaultChecked={playlist?.isPublic}
          help="Anyone with the link can listen and follow it in a podcast app."
        />
        {failure && (
          <p role="alert" className="text-sm font-medium text-danger">
            {failure}
          </p>
        )}
        <footer className="flex justify-end gap-3">
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" tone="primary" busy={isBusy}>
            {submit}
          </Button>
        </footer>
      </div>
    </form>
  );
}

/** The messages of this form's fields. */
function errorsOf(error: unknown) {
  if (!(error instanceof ApiError) || error.field === undefined) return {};
  const { field, fields = { [field]: error.message } } = error;
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name === "name" || name === "description"),
  );
}

const inputOf = (form: FormData): NewPlaylist => ({
  name: String(form.get("name")).trim(),
  description: String(form.get("description")).trim(),
  isPublic: form.has("isPublic"),
});
