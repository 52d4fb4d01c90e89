import { useEffect, useState, type RefObject } from "react";
import { Button } from "#site/ui/button.tsx";
import type { QuotePlace } from "#worker/sharing/quote-address.ts";
import { QuoteDialog, type Quoted } from "./dialog.tsx";
import { selectedPlace, type Said } from "./said.ts";

export { loadStyle } from "./style.ts";

type QuotesProps = Quoted & {
  /** The element with the transcript. */
  root: RefObject<Element | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** A button for the selected words of a transcript, and the dialog with their picture. */
export function Quotes({ root, isOpen, onOpenChange, ...quoted }: QuotesProps) {
  const selected = useSelected(root, quoted.said);
  return (
    <>
      {selected && !isOpen && (
        <div className="pointer-events-none sticky bottom-24 z-10 flex justify-center pb-3">
          <Button
            size="sm"
            tone="primary"
            className="pointer-events-auto animate-appear shadow-float"
            onClick={() => onOpenChange(true)}
          >
            Make a picture
          </Button>
        </div>
      )}
      {isOpen && <QuoteDialog {...quoted} initial={selected} onClose={() => onOpenChange(false)} />}
    </>
  );
}

/** Milliseconds. A press on a button ends the selection that it is about. */
const LASTS = 600;

function useSelected(root: RefObject<Element | null>, said: Said[]) {
  const [selected, setSelected] = useState<QuotePlace | null>(() => selectedPlace(root.current, said));
  useEffect(() => {
    let ending: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(ending);
      const place = selectedPlace(root.current, said);
      if (place) setSelected(place);
      else ending = setTimeout(() => setSelected(null), LASTS);
    };
    look();
    document.addEventListener("selectionchange", look);
    return () => {
      clearTimeout(ending);
      document.removeEventListener("selectionchange", look);
    };
  }, [root, said]);
  return selected;
}
