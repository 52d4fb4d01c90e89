import { useAtomValue, useStore } from "jotai";
import { ListMusic, Plus } from "lucide-react";
import { useEffect, useState, type RefObject } from "react";
import { useGiveUp } from "#site/player/say-offline.ts";
import { useToast } from "#site/shell/toast.ts";
import { KeepItem } from "./keep-item.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { Skeleton } from "#site/ui/states.tsx";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { Playlist } from "#worker/playlists/contract.ts";
import { addEpisode, readPlaylists } from "../lists.ts";
import { playlistsAtom } from "../state.ts";
import { useAttempt } from "../use-attempt.ts";

export { loadStyle } from "./style.ts";

type AddMenuProps = {
  episode: EpisodeSummary;
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onClose: () => void;
};

const loadDialog = lazyImport(() => import("./playlist-dialog.tsx"));

/** Menu that adds an episode to a playlist or a new one, or saves it on the device. */
export function AddMenu({ episode, anchor, open, onClose }: AddMenuProps) {
  const [isNaming, setNaming] = useState(false);
  const giveUp = useGiveUp(setNaming, false);
  const dialog = useLazyModule(isNaming, loadDialog, giveUp);
  const add = useAdd(episode);
  const choose = (act: () => void) => {
    onClose();
    anchor.current?.focus();
    act();
  };
  return (
    <>
      {open && (
        <Menu anchor={anchor} label={`Add ${episode.title} to`} onClose={onClose}>
          <Choices onChoose={(playlist) => choose(() => void add(playlist))} />
          <MenuItem onSelect={() => choose(() => setNaming(true))}>
            <Plus aria-hidden size={16} />
            New playlist…
          </MenuItem>
          <KeepItem episode={episode} onChoose={choose} />
        </Menu>
      )}
      {dialog && <dialog.CreateDialog open={isNaming} onOpenChange={setNaming} onCreated={add} />}
    </>
  );
}

function useAdd({ id, title }: EpisodeSummary) {
  const store = useStore();
  const attempt = useAttempt();
  const say = useToast();
  return (playlist: Playlist) =>
    attempt(`Not added to ${playlist.name}`, async () => {
      const { isNew } = await addEpisode(store, playlist, id);
      say({
        kind: "success",
        title: isNew ? `Added to ${playlist.name}` : `Already in ${playlist.name}`,
        description: title,
      });
    });
}

/** Smart playlists are computed. */
const isEditable = ({ isSmart }: Playlist) => !isSmart;

function Choices({ onChoose }: { onChoose: (playlist: Playlist) => void }) {
  const store = useStore();
  const { value, error } = useAtomValue(playlistsAtom);
  const read = () => void readPlaylists(store).catch(console.warn);
  useEffect(read, [store]);
  if (error && !value) return <MenuItem onSelect={read}>Your playlists didn’t load. Try Again</MenuItem>;
  if (!value) return <ChoicesLoading />;
  const choices = value.filter(isEditable);
  return (
    choices.length > 0 && (
      <div role="none" className="mb-1.5 border-b border-rule pb-1.5">
        {choices.map((playlist) => (
          <MenuItem key={playlist.id} onSelect={() => onChoose(playlist)}>
            <ListMusic aria-hidden size={16} className="shrink-0 text-muted" />
            <span className="truncate">{playlist.name}</span>
            <span className="figures ml-auto text-muted">{playlist.episodeCount}</span>
          </MenuItem>
        ))}
      </div>
    )
  );
}

const ChoicesLoading = () => (
  <div aria-hidden className="grid gap-3 px-4 py-2.5">
    <Skeleton className="h-4 w-4/5" />
    <Skeleton className="h-4 w-3/5" />
  </div>
);
