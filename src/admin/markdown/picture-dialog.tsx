import { useState } from "react";
import { api, ensureOk } from "#site/api.ts";
import { FormContext, useFormState } from "#site/admin/form/context.ts";
import { FileField } from "#site/admin/files/file-field.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { TextField } from "#site/ui/field.tsx";
import { MAX_ALT, type StoredFile } from "#worker/files/contract.ts";

type Props = {
  /** A file that was dropped or pasted; none when the owner is to choose one. */
  file?: File;
  onInsert: (markdown: string) => void;
  onClose: () => void;
};

/** Uploads a picture for a text and asks what it shows. */
export function PictureDialog({ file, onInsert, onClose }: Props) {
  const [image, setImage] = useState<StoredFile | null>(null);
  const [alt, setAlt] = useState("");
  const around = useFormState();
  const choose = (chosen: StoredFile | null) => {
    // A picture brings its own words along, unless somebody wrote others here.
    if (alt.trim() === "" || alt === image?.alt) setAlt(chosen?.alt ?? "");
    setImage(chosen);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add a picture">
      <form
        className="grid gap-5"
        // What happens here is no change of the form around the dialog before it is inserted.
        onChange={(event) => event.stopPropagation()}
        onSubmit={(event) => {
          event.preventDefault();
          // React tells the form around the dialog, too.
          event.stopPropagation();
          if (!image) return;
          describe(image, alt);
          onInsert(pictureMarkdown(image.url, alt));
        }}
      >
        <FormContext value={{ ...around, markChanged: () => {} }}>
          <FileField
            label="Picture"
            name="embeddedPicture"
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
          help="What it shows, for people who cannot see it. Empty only for decoration."
        />
        <ButtonRow className="justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={!image}>
            Insert picture
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  );
}

const pictureMarkdown = (url: string, alt: string) =>
  `![${alt.trim().replaceAll(/[\\[\]]/g, String.raw`\$&`)}](${url})`;

/** What is said of a picture here is offered from now on wherever it is chosen, if nothing was said of it before. */
function describe({ id, alt: own }: StoredFile, alt: string) {
  if (own !== "" || alt.trim() === "") return;
  const described = ensureOk(api.files[":id"].$patch({ param: { id }, json: { alt } }));
  described.catch((error: unknown) => console.warn("files: not described", error));
}
