import { ListMusic } from "#site/ui/icons.tsx";
import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { styled } from "#site/ui/retriable.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";

const PANEL = "playlists-panel";

const loadPanel = styled(() => import("#site/playlists/panel/panel.tsx"));

/** Opens the listener's playlists in place. They need the listener's id, and so scripts. */
export function Playlists({ show }: { show: string }) {
  const [isOpen, setOpen] = useState(false);
  const panel = useLoaded(isOpen, loadPanel);
  return (
    <div className="script-only border-t border-rule py-4">
      <Button
        tone="bare"
        className="-ml-4"
        aria-expanded={isOpen}
        aria-controls={PANEL}
        onClick={() => setOpen(!isOpen)}
      >
        <ListMusic aria-hidden size={18} strokeWidth={1.75} />
        {isOpen ? "Hide your playlists" : "Show your playlists"}
      </Button>
      <div id={PANEL}>{isOpen && panel && <panel.PlaylistsPanel show={show} />}</div>
    </div>
  );
}
