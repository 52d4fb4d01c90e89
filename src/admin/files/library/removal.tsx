import { useState } from "react";
import { FormSection } from "#site/admin/form/section.tsx";
import { Button } from "#site/ui/button.tsx";
import type { LibraryFile } from "#worker/files/contract.ts";
import { DeleteFileDialog } from "./delete-dialog.tsx";

/** Only an unused file can be deleted. */
export function Removal({ file }: { file: LibraryFile }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <FormSection title="Delete">
      {file.isUsed ? (
        <p className="text-sm text-muted">
          You can delete a file once nothing uses it. Earlier versions count too, because they can be
          restored.
        </p>
      ) : (
        <Button tone="danger" className="justify-self-start" onClick={() => setAsked(true)}>
          Delete file
        </Button>
      )}
      <DeleteFileDialog file={isAsked ? file : null} onClose={() => setAsked(false)} />
    </FormSection>
  );
}
