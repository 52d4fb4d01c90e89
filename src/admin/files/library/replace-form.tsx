import { useState } from "react";
import { FileField } from "#site/admin/files/file-field.tsx";
import { Form, Submit } from "#site/admin/form/form.tsx";
import { FormSection } from "#site/admin/form/section.tsx";
import { counted } from "#site/ui/format.ts";
import type { FileFolder, FileKind, OpenedFile, StoredFile } from "#worker/files/contract.ts";
import { UseLink } from "./file-uses.tsx";

const folders: Record<FileKind, FileFolder> = {
  picture: "articles",
  audio: "podcast-audio",
  other: "uploads",
};

/** Uploads a file that replaces this one in all current uses. */
export function ReplaceForm({ file, uses, useCount }: OpenedFile) {
  const [next, setNext] = useState<StoredFile | null>(null);
  const recorded = file.kind === "audio" && uses.find((use) => use.kind === "episode" && use.isCurrent);
  if (recorded) {
    return (
      <FormSection title="Replace">
        <p className="text-sm">
          Replace a recording in its episode’s form, beside its length, chapters and soundbites:{" "}
          <UseLink use={recorded} />.
        </p>
      </FormSection>
    );
  }
  return (
    <FormSection
      title="Replace"
      help="The new file gets its own address. Earlier versions keep the old file, which is deleted once nothing needs it."
    >
      <Form intent="replace">
        <FileField
          label="New file"
          name="by"
          folder={folders[file.kind]}
          value={next}
          onChange={setNext}
          newOnly
        />
        <Submit className="justify-self-start">{useCount === 0 ? "Replace" : "Replace everywhere"}</Submit>
      </Form>
      {useCount > 0 && <p className="text-sm text-muted">{`Used in ${counted(useCount, "place")}.`}</p>}
    </FormSection>
  );
}
