import { Search } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { GoneError, lazyImport } from "#site/ui/lazy-import.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { shownKeys, useMacKeys } from "../shell/mac-keys.ts";
import type { TabPath } from "../shell/tabs.ts";
import { toast } from "../shell/toast.tsx";

const loadPalette = lazyImport(() => import("./palette.tsx"));

/** The button that opens the search of the admin area, and its keys. */
export function PaletteOpener({ openTabs }: { openTabs: TabPath[] }) {
  const [isOpen, setOpen] = useState(false);
  const isHydrated = useHydrated();
  const isMac = useMacKeys();
  const giveUp = useCallback((error: unknown) => {
    setOpen(false);
    if (!(error instanceof GoneError))
      toast.error("The search couldn’t be opened. Check your connection, then try again.");
  }, []);
  const Palette = useLazyModule(isOpen, loadPalette, giveUp)?.default;
  const onChoice = useFocusOnArrival();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!isShortcut(event) || event.defaultPrevented) return;
      event.preventDefault();
      // Nothing behind an open dialog may be reached.
      if (!document.querySelector("[role=dialog], [role=alertdialog]")) setOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <Button
        tone="bare"
        disabled={!isHydrated}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Search (${shownKeys(SHORTCUT, isMac)})`}
        onClick={() => setOpen(true)}
        className="max-md:min-h-11 max-md:min-w-11 px-2 font-normal disabled:opacity-100 md:-mx-2"
      >
        <Search aria-hidden size={18} strokeWidth={1.75} />
        <span className="max-md:sr-only">Search</span>
      </Button>
      {Palette && <Palette isOpen={isOpen} onOpenChange={setOpen} openTabs={openTabs} onChoice={onChoice} />}
    </>
  );
}

const SHORTCUT = { code: "KeyK", shown: "K" };

const isShortcut = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  key.toLowerCase() === "k" && ctrlKey !== metaKey && !shiftKey && !altKey;

/** Once the chosen page is there it has the focus, and not the button that the search was opened with. */
function useFocusOnArrival() {
  const { key } = useLocation();
  const chosenAt = useRef<string>(undefined);
  useEffect(() => {
    if (chosenAt.current === undefined || chosenAt.current === key) return;
    chosenAt.current = undefined;
    if (!document.querySelector("[role=dialog], [role=alertdialog]")) document.querySelector("main")?.focus();
  }, [key]);
  return () => {
    chosenAt.current = key;
  };
}
