import { useRef, useState } from "react";
import type { KeptEpisode } from "#site/offline/caches.ts";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { formatSize } from "#site/ui/size.ts";
import { useKept } from "../offline.ts";

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** The site's storage on the device, and controls to delete it. */
export function OfflineStorage(props: Props) {
  return (
    <Dialog
      {...props}
      closesOnBack
      title="Offline storage"
      description="Episodes you keep and pages you visit open without a connection."
    >
      <Content />
    </Dialog>
  );
}

function Content() {
  const { kept, usage, remove, clear } = useKept();
  const [said, setSaid] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const act = async (work: Promise<unknown>, what: string) => {
    await work;
    setSaid(what);
    // The button that was pressed is gone.
    list.current?.focus();
  };
  if (!kept || !usage) return <p role="status">Loading</p>;
  return (
    <div ref={list} tabIndex={-1} className="deck grid gap-5 outline-none">
      <Episodes
        kept={kept}
        onRemove={(one) => void act(remove(one), `${one.title} was removed from this device.`)}
      />
      <p className="text-sm text-muted">
        {`${formatSize(usage.bytes)} in total on this device, with ${countOf(usage.pages)}.`}
      </p>
      <Button
        className="justify-self-start"
        aria-disabled={kept.length === 0 && usage.pages === 0}
        onClick={() => void act(clear(), "Everything was removed from this device.")}
      >
        Clear all
      </Button>
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

function Episodes({ kept, onRemove }: { kept: KeptEpisode[]; onRemove: (one: KeptEpisode) => void }) {
  if (kept.length === 0) return <p>No episodes kept yet. Open one and select Keep offline.</p>;
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  return (
    <section className="grid gap-2">
      <h3 className="flex justify-between gap-4 text-sm font-semibold">
        Episodes
        <span className="figures font-normal text-muted">{formatSize(bytes)}</span>
      </h3>
      <ul>
        {kept.map((one) => (
          <li key={one.id} className="flex items-center gap-4 border-t border-rule py-2">
            <span className="min-w-0 grow">{one.title}</span>
            <span className="figures shrink-0 text-sm text-muted">{formatSize(one.bytes)}</span>
            <Button size="sm" aria-label={`Remove ${one.title}`} onClick={() => onRemove(one)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const countOf = (pages: number) => (pages === 1 ? "1 visited page" : `${pages} visited pages`);
