import { useState } from "react";
import { api, ensureOk } from "#site/api.ts";
import { FormContext, useFormState } from "#site/admin/form/context.ts";
import { FileField } from "#site/admin/files/file-field.tsx";
import { CancelButton, FormDialog } from "#site/admin/form/form-dialog.tsx";
import { useUnsaved } from "#site/admin/form/leaving.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { MAX_ALT, type StoredFile } from "#worker/files/contract.ts";

type Props = {
  /** A dropped or pasted file; absent if the owner has to choose one. */
  file?: File;
  onInsert: (markdown: string, image: StoredFile) => void;
  onClose: () => void;
};

/** Uploads a picture for a text and asks for its description. */
export const PictureDialog = ({ onClose, ...picture }: Props) => (
  <FormDialog open onClose={onClose} title="Add a picture">
    <PictureForm {...picture} />
  </FormDialog>
);

const FIELD = "embeddedPicture";

function PictureForm({ file, onInsert }: Omit<Props, "onClose">) {
  const [image, setImage] = useState<StoredFile | null>(null);
  const [alt, setAlt] = useState("");
  const around = useFormState();
  useUnsaved(image !== null || alt.trim() !== "" || around.uploads.has(FIELD));
  const choose = (chosen: StoredFile | null) => {
    // A picture brings its own description, unless another was typed here.
    if (alt.trim() === "" || alt === image?.alt) setAlt(chosen?.alt ?? "");
    setImage(chosen);
  };
  return (
    <form
      className="grid gap-5"
      // Events here are not changes of the form around the dialog.
      onChange={(event) => event.stopPropagation()}
      onSubmit={(event) => {
        event.preventDefault();
        // React also bubbles to the form around the dialog.
        event.stopPropagation();
        if (!image) return;
        describe(image, alt);
        onInsert(pictureMarkdown(image.url, alt), { ...image, alt: alt.trim() });
      }}
    >
      <FormContext value={{ ...around, markChanged: () => {} }}>
        <FileField
          label="Picture"
          name={FIELD}
          folder="articles"
          value={image}
          onChange={choose}
          dropped={file}
          help="JPEG, PNG, WebP or GIF, less than 10MB."
        />
      </FormContext>
      <TextField
        label="Description of the picture"
        maxLength={MAX_ALT}
        value={alt}
        onChange={(event) => setAlt(event.currentTarget.value)}
        help="Describe it for people who can’t see it. Leave blank only if it is decoration."
      />
      <ButtonRow className="justify-end">
        <CancelButton />
        <Button type="submit" tone="primary" disabled={!image}>
          Insert picture
        </Button>
      </ButtonRow>
    </form>
  );
}

const pictureMarkdown = (url: string, alt: string) =>
  `![${alt.trim().replaceAll(/[\\[\]]/g, String.raw`\$&`)}](${url})`;

/** Stores the description with the picture if it has none, so that it is offered wherever the picture is chosen. */
function describe({ id, alt: own }: StoredFile, alt: string) {
  if (own !== "" || alt.trim() === "") return;
  const described = ensureOk(api.files[":id"].$patch({ param: { id }, json: { alt } }));
  described.catch((error: unknown) => console.warn("files: not described", error));
}
