import { useAtomValue, useStore } from "jotai";
import { ChevronDown, Plus, Sparkles } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { lastSavedAtom } from "#site/player/last-saved.ts";
import { useGiveUp } from "#site/player/say-offline.ts";
import { useToast } from "#site/shell/toast.ts";
import { Button } from "#site/ui/button.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { EmptyState, ErrorState } from "#site/ui/states.tsx";
import { useSpelling } from "#site/ui/spelling.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { Playlist, SmartName } from "#worker/playlists/contract.ts";
import { PlaylistCard } from "./card.tsx";
import { readFavorites } from "../favorites.ts";
import { createSmartPlaylist, readPlaylists, readRecent } from "../lists.ts";
import { CardsLoading, gridClass } from "./placeholders.tsx";
import { playlistsAtom } from "../state.ts";
import { Summary } from "./summary.tsx";
import { useAttempt } from "../use-attempt.ts";

type OverviewProps = {
  show: string;
  /** The last opened playlist. */
  lastId: string | null;
  onOpen: (id: string) => void;
};

export function Overview({ show, lastId, onOpen }: OverviewProps) {
  const store = useStore();
  const { value, error } = useAtomValue(playlistsAtom);
  const lastSaved = useAtomValue(lastSavedAtom);
  const read = useCallback(() => {
    for (const each of [readPlaylists, readFavorites, readRecent]) each(store).catch(console.warn);
  }, [store]);
  useEffect(read, [read, lastSaved]);
  return (
    <>
      <Head />
      <Summary show={show} onReload={read} />
      {value && <Grid playlists={value} show={show} lastId={lastId} onOpen={onOpen} />}
      {!value && error && (
        <ErrorState
          title="Failed to load playlists. Please try again later."
          action={<Button onClick={read}>Try Again</Button>}
        />
      )}
      {!value && !error && <CardsLoading />}
    </>
  );
}

const loadDialog = lazyImport(() => import("./playlist-dialog.tsx"));

function Head() {
  const spell = useSpelling();
  const [isNaming, setNaming] = useState(false);
  const giveUp = useGiveUp(setNaming, false);
  const dialog = useLazyModule(isNaming, loadDialog, giveUp);
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
      <div>
        <h2 className="headline text-story">Your Playlists</h2>
        <p className="font-reading text-lg text-muted">{spell("Organise your favourite episodes")}</p>
      </div>
      <div className="flex flex-wrap gap-2 sm:gap-3">
        <SmartButtons />
        <Button tone="primary" className="max-sm:px-3" onClick={() => setNaming(true)}>
          <Plus aria-hidden size={16} />
          New Playlist
        </Button>
      </div>
      {dialog && <dialog.CreateDialog open={isNaming} onOpenChange={setNaming} />}
    </header>
  );
}

const smart: Record<SmartName, string> = {
  "Recently Played": "Episodes you listened to last",
  "Not finished yet": "Episodes you started but haven’t finished",
  "Favourites by newest": "The latest you marked come first",
};
const smartNames = Object.keys(smart) as SmartName[];

/** The button creates Recently Played; the menu beside it has the others. */
function SmartButtons() {
  const [isOpen, setOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const { isBusy, create } = useCreateSmart();
  const spell = useSpelling();
  return (
    <div className="flex">
      <Button
        className="rounded-r-none max-sm:px-3"
        aria-disabled={isBusy}
        onClick={() => isBusy || void create("Recently Played")}
      >
        <Sparkles aria-hidden size={16} />
        Smart Playlist
      </Button>
      <button
        ref={more}
        type="button"
        aria-label="Other smart playlists"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="grid h-10 w-8 place-items-center rounded-r-md border border-l-0 border-edge hover:bg-tint"
      >
        <ChevronDown aria-hidden size={16} />
      </button>
      {isOpen && (
        <Menu anchor={more} label="Smart playlists" onClose={() => setOpen(false)}>
          {smartNames.map((name) => (
            <MenuItem
              key={name}
              onSelect={() => {
                setOpen(false);
                more.current?.focus();
                void create(name);
              }}
            >
              <span className="grid">
                <span className="font-medium">{spell(name)}</span>
                <span className="text-muted">{smart[name]}</span>
              </span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}

function useCreateSmart() {
  const store = useStore();
  const attempt = useAttempt();
  const say = useToast();
  const [isBusy, setBusy] = useState(false);
  const create = async (name: SmartName) => {
    setBusy(true);
    await attempt(`${name} wasn’t created`, async () => {
      const { isNew } = await createSmartPlaylist(store, name);
      say({
        kind: "success",
        title: isNew ? `${name} was added to your playlists` : `You already have ${name}`,
      });
    });
    setBusy(false);
  };
  return { isBusy, create };
}

type GridProps = OverviewProps & { playlists: Playlist[] };

const Grid = ({ playlists, show, lastId, onOpen }: GridProps) =>
  playlists.length > 0 ? (
    <ul className={gridClass}>
      {playlists.map((playlist) => (
        <li key={playlist.id}>
          <PlaylistCard
            playlist={playlist}
            show={show}
            isLast={playlist.id === lastId}
            onOpen={() => onOpen(playlist.id)}
          />
        </li>
      ))}
    </ul>
  ) : (
    <EmptyState title="No playlists yet">Create your first playlist to get started.</EmptyState>
  );
