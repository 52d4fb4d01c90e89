import { use, useEffect, type ComponentProps } from "react";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { PartContext, useClosing, type Question } from "./leaving.ts";

type Props = Omit<ComponentProps<typeof Dialog>, "onOpenChange"> & {
  onClose: () => void;
  /** Asked before something unsaved is closed, where the usual words do not say what is lost. */
  question?: Question;
};

/** A dialog with a form, which is not closed unasked while something of it is unsaved. Its form has a `CancelButton`. */
export function FormDialog({ onClose, question, ...dialog }: Props) {
  const { id, leave } = useClosing(question);
  const close = () => leave(onClose);
  useFocusKept(dialog.open);
  return (
    <PartContext value={{ id, close }}>
      <Dialog {...dialog} onOpenChange={(isOpen) => !isOpen && close()} />
    </PartContext>
  );
}

const PANELS = "[role=dialog], [role=alertdialog]";

/** A press beside the dialog would take the focus out of it, and a question could not give it back. */
function useFocusKept(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return;
    const keep = (event: MouseEvent) => {
      const isInside = event.target instanceof Element && event.target.closest(PANELS);
      if (!isInside) event.preventDefault();
    };
    addEventListener("mousedown", keep);
    return () => removeEventListener("mousedown", keep);
  }, [isOpen]);
}

/** Closes the dialog, or the part of a page, that it stands in. */
export const CancelButton = (button: Pick<ComponentProps<typeof Button>, "tone">) => (
  <Button {...button} onClick={use(PartContext)?.close}>
    Cancel
  </Button>
);
