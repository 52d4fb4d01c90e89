import { ListMusic } from "#site/ui/icons.tsx";
import { useState } from "react";
import { useGiveUp } from "#site/player/say-offline.ts";
import { Button } from "#site/ui/button.tsx";
import { lazyStyledImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";

const PANEL = "playlists-panel";

const loadPanel = lazyStyledImport(() => import("#site/playlists/panel/panel.tsx"));

/** Opens the listener's playlists in place. They need the listener's id, and so scripts. */
export function Playlists({ show }: { show: string }) {
  const [isOpen, setOpen] = useState(false);
  const giveUp = useGiveUp(setOpen, false);
  const panel = useLazyModule(isOpen, loadPanel, giveUp);
  return (
    <div className="script-only border-t border-rule py-2">
      <Button
        tone="bare"
        className="-ml-4"
        aria-expanded={isOpen}
        aria-controls={PANEL}
        onClick={() => setOpen(!isOpen)}
      >
        <ListMusic aria-hidden size={18} strokeWidth={1.75} />
        <span>{isOpen ? "Hide your playlists" : "Show your playlists"}</span>
      </Button>
      <div id={PANEL}>{isOpen && panel && <panel.PlaylistsPanel show={show} />}</div>
    </div>
  );
}
