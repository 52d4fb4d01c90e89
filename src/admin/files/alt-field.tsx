import { useState, type ReactNode } from "react";
import { TextField } from "#site/admin/form/fields.tsx";
import { MAX_ALT, type StoredFile } from "#worker/files/contract.ts";

type Props = {
  /** The chosen picture. */
  image: StoredFile | null;
  defaultValue: string;
  help?: ReactNode;
};

/** A picture's description. A chosen picture brings its file's description, unless another was typed here. */
export function AltField({ image, defaultValue, help }: Props) {
  const [alt, setAlt] = useState(defaultValue);
  const [former, setFormer] = useState(image);
  if (image?.id !== former?.id) {
    setFormer(image);
    const isOwn = alt.trim() !== "" && alt !== former?.alt;
    if (!isOwn) setAlt(image?.alt ?? "");
  }
  return (
    <TextField
      label="Description of the picture"
      name="imageAlt"
      maxLength={MAX_ALT}
      value={alt}
      onChange={(event) => setAlt(event.currentTarget.value)}
      help={help}
    />
  );
}
