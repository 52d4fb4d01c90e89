import { use, useEffect, type ComponentProps } from "react";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { PartContext, useClosing, type Question } from "./leaving.ts";

type Props = Omit<ComponentProps<typeof Dialog>, "onOpenChange"> & {
  onClose: () => void;
  /** The question before closing unsaved changes, if the default text does not fit. */
  question?: Question;
};

/** A dialog with a form, which asks before closing with unsaved changes. Its form has a `CancelButton`. */
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

/** A press outside the dialog would take the focus away, and a question could not restore it. */
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

/** Closes the dialog, or the part of a page, that contains it. */
export const CancelButton = (button: Pick<ComponentProps<typeof Button>, "tone">) => (
  <Button {...button} onClick={use(PartContext)?.close}>
    Cancel
  </Button>
);
