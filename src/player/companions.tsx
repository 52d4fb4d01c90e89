import { useAtom } from "jotai";
import { retriable } from "#site/ui/retriable.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";
import { usePlayerStorage } from "./use-player-storage.ts";
import { useMediaSession } from "./media-session.ts";
import { useOtherTabs } from "./other-tabs.ts";
import { useProgressSync } from "./progress-sync.ts";
import { isHelpOpenAtom, useShortcuts } from "./shortcuts.ts";
import { useSleep } from "./sleep.ts";

const loadHelp = retriable(() => import("./deck/shortcuts-dialog.tsx"));

/** What goes with playing and is not seen: memory, progress, keys, the system's controls, the timer, other tabs. */
export function Companions() {
  usePlayerStorage();
  useProgressSync();
  useShortcuts();
  useMediaSession();
  useSleep();
  useOtherTabs();
  const [isHelpOpen, setHelpOpen] = useAtom(isHelpOpenAtom);
  const help = useLoaded(isHelpOpen, loadHelp);
  return help && <help.ShortcutsDialog open={isHelpOpen} onOpenChange={setHelpOpen} />;
}
