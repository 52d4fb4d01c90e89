import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import type { Track } from "#site/player/core/playback.ts";
import { useToast } from "#site/shell/toast.ts";
import { Button } from "#site/ui/button.tsx";
import { lazyStyledImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { Said } from "../quotes/said.ts";

type QuotableProps = {
  said: Said[];
  track: Track;
  /** The episode's public address; absent for a draft. */
  url?: string;
  children: ReactNode;
};

const loadQuotes = lazyStyledImport(() => import("../quotes/quotes.tsx"));

/** A transcript whose words readers make pictures of. Their code loads with the first selection. */
export function Quotable({ said, track, url, children }: QuotableProps) {
  const root = useRef<HTMLDivElement>(null);
  const [isSelected, setSelected] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const say = useToast();
  const fail = useCallback(() => {
    setOpen(false);
    say({ kind: "error", title: "Pictures failed to load. Check your connection." });
  }, [say]);
  useEffect(() => {
    const look = () => {
      const selection = getSelection();
      setSelected(!selection?.isCollapsed && root.current!.contains(selection!.anchorNode));
    };
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, []);
  const loaded = useLazyModule(isOpen || isSelected, loadQuotes, isOpen ? fail : ignore);
  return (
    <div ref={root}>
      <Button tone="bare" size="sm" className="-ml-3 script-only" onClick={() => setOpen(true)}>
        Make a picture of a quote
      </Button>
      {children}
      {loaded && (
        <loaded.Quotes
          root={root}
          said={said}
          episode={track}
          url={url}
          isOpen={isOpen}
          onOpenChange={setOpen}
        />
      )}
    </div>
  );
}

const ignore = (error: unknown) => console.warn(error);
