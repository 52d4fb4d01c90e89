import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import type { FileKind, StoredFile } from "#worker/files/contract.ts";
import { Chooser } from "./chooser.tsx";

type Props = {
  /** Of the field that the file is for. */
  label: string;
  kind: FileKind;
  onChoose: (file: StoredFile) => void;
};

/** Opens the library, to choose an existing file. */
export function ChooseFile({ label, kind, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        tone="bare"
        className="-ml-3 justify-self-start"
        aria-label={`Choose from files: ${label}`}
        onClick={() => setOpen(true)}
      >
        Choose from files
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Choose from files" wide>
        <Chooser
          kind={kind}
          onChoose={(file) => {
            setOpen(false);
            onChoose(file);
          }}
        />
      </Dialog>
    </>
  );
}
