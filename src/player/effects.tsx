import { useAtom } from "jotai";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { usePlayerStorage } from "./player-storage.ts";
import { useMediaSession } from "./media-session.ts";
import { useOtherTabs } from "./other-tabs.ts";
import { useProgressSync } from "./progress-sync.ts";
import { isHelpOpenAtom, useShortcuts } from "./shortcuts.ts";
import { useRenewal } from "./refresh-audio-url.ts";
import { useGiveUp } from "./say-offline.ts";
import { useSleepTimer } from "./sleep.ts";
import { useTextLinks } from "./text-links.ts";

const loadHelp = lazyImport(() => import("./deck/shortcuts-dialog.tsx"));

/** Effects of the player: storage, progress, replaced recordings, keyboard, the system's media controls, sleep timer, other tabs, links of texts. */
export function PlayerEffects() {
  usePlayerStorage();
  useProgressSync();
  useRenewal();
  useShortcuts();
  useMediaSession();
  useSleepTimer();
  useOtherTabs();
  useTextLinks();
  const [isHelpOpen, setHelpOpen] = useAtom(isHelpOpenAtom);
  const giveUp = useGiveUp(setHelpOpen, false);
  const help = useLazyModule(isHelpOpen, loadHelp, giveUp);
  return help && <help.ShortcutsDialog open={isHelpOpen} onOpenChange={setHelpOpen} />;
}
