import { useAtomValue, useStore } from "jotai";
import { ArrowLeft, Pencil, Play, Shuffle, Trash2 } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useGiveUp } from "#site/player/say-offline.ts";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { EmptyState, ErrorState } from "#site/ui/states.tsx";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { Playlist, PlaylistItem } from "#worker/playlists/contract.ts";
import { optimisticValue } from "../optimistic.ts";
import { usePlaylistName } from "./card.tsx";
import { Items } from "./items.tsx";
import { closePlaylist, openPlaylist } from "../lists.ts";
import { shuffled } from "../order.ts";
import { detailClass, DetailLoading } from "./placeholders.tsx";
import { Sharing } from "./sharing.tsx";
import { openItemsAtom, openPlaylistAtom } from "../state.ts";
import { hasAudio, usePlayEpisodes } from "./use-play-episodes.ts";

type DetailProps = { id: string; show: string; onBack: () => void };

export function PlaylistDetail({ id, show, onBack }: DetailProps) {
  const store = useStore();
  const { value: playlist, error } = useAtomValue(openPlaylistAtom);
  const read = useCallback(() => void openPlaylist(store, id).catch(console.warn), [store, id]);
  useEffect(() => {
    read();
    return closePlaylist;
  }, [read]);
  return (
    <>
      <Button tone="bare" className="-ml-4 mb-4" onClick={onBack}>
        <ArrowLeft aria-hidden size={16} />
        Your Playlists
      </Button>
      {error === "missing" && (
        <ErrorState title="Playlist not found" action={<Button onClick={onBack}>Back to Playlists</Button>} />
      )}
      {error === "failed" && !playlist && (
        <ErrorState
          title="Failed to load this playlist. Please try again later."
          action={<Button onClick={read}>Try Again</Button>}
        />
      )}
      {playlist && error !== "missing" && <Opened playlist={playlist} show={show} onBack={onBack} />}
      {!playlist && !error && <DetailLoading />}
    </>
  );
}

type OpenedProps = { playlist: Playlist; show: string; onBack: () => void };

function Opened({ playlist, show, onBack }: OpenedProps) {
  const items = optimisticValue(useAtomValue(openItemsAtom));
  return (
    <div className={detailClass}>
      <Head playlist={playlist} items={items} show={show} onBack={onBack} />
      {items.length > 0 ? (
        <Items playlist={playlist} items={items} show={show} />
      ) : (
        <EmptyState title="No episodes in this playlist" className="lg:pt-3 lg:border-t-0">
          {playlist.isSmart
            ? "It fills automatically as you listen."
            : "Add episodes to start building your playlist."}
        </EmptyState>
      )}
    </div>
  );
}

type HeadProps = OpenedProps & { items: PlaylistItem[] };

function Head({ playlist, items, show, onBack }: HeadProps) {
  const { id, description, isPublic, isSmart } = playlist;
  const name = usePlaylistName(playlist);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <header className="grid grid-cols-1 justify-items-start gap-4">
      <h2 ref={title} tabIndex={-1} className="headline text-story outline-none">
        {name}
      </h2>
      <p className="font-reading text-lg text-muted">{description || "No description"}</p>
      <p className="flex flex-wrap gap-2">
        <Badge>{counted(items.length, "episode")}</Badge>
        {isPublic && <Badge tone="accent">Public</Badge>}
        {isSmart && <Badge tone="info">Smart</Badge>}
      </p>
      <ButtonRow>
        <PlayButtons items={items} show={show} />
      </ButtonRow>
      <div className="-ml-3 flex">
        {!isSmart && <EditButton playlist={playlist} />}
        <DeleteButton playlist={playlist} onDeleted={onBack} />
      </div>
      {isPublic && <Sharing id={id} name={name} />}
    </header>
  );
}

function PlayButtons({ items, show }: { items: PlaylistItem[]; show: string }) {
  const playEpisodes = usePlayEpisodes(show);
  const episodes = items.map(({ episode }) => episode);
  const isSilent = !episodes.some(hasAudio);
  return (
    <>
      <Button tone="primary" disabled={isSilent} onClick={() => playEpisodes(episodes)}>
        <Play aria-hidden size={16} fill="currentColor" />
        Play All
      </Button>
      <Button disabled={isSilent} onClick={() => playEpisodes(shuffled(episodes))}>
        <Shuffle aria-hidden size={16} />
        Shuffle
      </Button>
    </>
  );
}

const loadDialogs = lazyImport(() => import("./playlist-dialog.tsx"));

function EditButton({ playlist }: { playlist: Playlist }) {
  const [isOpen, setOpen] = useState(false);
  const giveUp = useGiveUp(setOpen, false);
  const dialogs = useLazyModule(isOpen, loadDialogs, giveUp);
  return (
    <>
      <Button tone="bare" size="sm" onClick={() => setOpen(true)}>
        <Pencil aria-hidden size={14} />
        Edit
      </Button>
      {dialogs && <dialogs.EditDialog open={isOpen} onOpenChange={setOpen} playlist={playlist} />}
    </>
  );
}

function DeleteButton({ playlist, onDeleted }: { playlist: Playlist; onDeleted: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const giveUp = useGiveUp(setOpen, false);
  const dialogs = useLazyModule(isOpen, loadDialogs, giveUp);
  return (
    <>
      <Button tone="bare" size="sm" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden size={14} />
        Delete
      </Button>
      {dialogs && (
        <dialogs.DeleteDialog
          open={isOpen}
          onOpenChange={setOpen}
          playlist={playlist}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}
