import { useState } from "react";
import { useGiveUp } from "#site/player/say-offline.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { Overview } from "./overview.tsx";
import { DetailLoading } from "./placeholders.tsx";

export { loadStyle } from "./style.ts";

type PanelProps = {
  /** The show's name. */
  show: string;
};

const loadDetail = lazyImport(() => import("./detail.tsx"));

/** The listener's playlists, or the open one. */
export function PlaylistsPanel({ show }: PanelProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [lastId, setLastId] = useState<string | null>(null);
  const giveUp = useGiveUp(setOpenId, null);
  const detail = useLazyModule(openId, loadDetail, giveUp);
  const open = (id: string) => {
    setOpenId(id);
    setLastId(id);
  };
  return (
    <section aria-label="Your Playlists" tabIndex={-1} className="playlists pt-6 pb-4 outline-none">
      {openId === null && <Overview show={show} lastId={lastId} onOpen={open} />}
      {openId !== null && !detail && <DetailLoading />}
      {openId !== null && detail && (
        <detail.PlaylistDetail id={openId} show={show} onBack={() => setOpenId(null)} />
      )}
    </section>
  );
}
