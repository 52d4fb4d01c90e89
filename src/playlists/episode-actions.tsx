import { useAtomValue, useSetAtom, useStore } from "jotai";
import { useEffect, useRef, useState } from "react";
import { isListenerAtom } from "#site/player/listener.ts";
import { useGiveUp, useSayOffline } from "#site/player/say-offline.ts";
import { useToast } from "#site/shell/toast.ts";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { icon, ListMusic } from "#site/ui/icons.tsx";
import { lazyImport, lazyStyledImport } from "#site/ui/lazy-import.ts";
import { useSpelling } from "#site/ui/spelling.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { favoriteIdsAtom, shownFavoriteAtom } from "./favorite-ids.ts";

const Heart = icon(
  "M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5",
);

type ActionsProps = {
  episode: EpisodeSummary;
  /** Icons without labels, for lists. */
  small?: boolean;
  className?: string;
};

/** Favourite and Add to playlist. Their code loads on demand. */
export const EpisodeActions = ({ episode, small = false, className }: ActionsProps) => (
  <div className={cx("script-only flex flex-wrap", className)}>
    <FavoriteButton episode={episode} small={small} />
    <AddButton episode={episode} small={small} />
  </div>
);

type ButtonProps = { episode: EpisodeSummary; small: boolean };

const lookOf = (small: boolean) => buttonClass({ tone: "bare", size: small ? "icon" : "md" });

const loadFavorites = lazyImport(() => import("./favorites-entry.ts"));

function FavoriteButton({ episode, small }: ButtonProps) {
  const { id, title } = episode;
  const spell = useSpelling();
  const store = useStore();
  const say = useToast();
  const sayOffline = useSayOffline();
  const isListener = useAtomValue(isListenerAtom);
  const isFavorite = useAtomValue(favoriteIdsAtom).has(id);
  useEffect(() => {
    if (isListener)
      loadFavorites()
        .then(({ readFavorites }) => readFavorites(store))
        .catch(console.warn);
  }, [isListener, store]);
  const show = useSetAtom(shownFavoriteAtom);
  const toggle = () => {
    show(id, !isFavorite);
    return loadFavorites().then(
      ({ setFavorite }) => setFavorite(store, say, episode, !isFavorite),
      (error: unknown) => {
        show(id, isFavorite);
        sayOffline(error);
      },
    );
  };
  return (
    <button
      type="button"
      aria-pressed={isFavorite}
      aria-label={`Add ${title} to ${spell("favourites")}`}
      title={small ? spell("Favourites") : undefined}
      onClick={() => void toggle()}
      className={lookOf(small)}
    >
      <Heart
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className={isFavorite ? "fill-current text-signal" : undefined}
      />
      {!small && <span>{spell("Favourites")}</span>}
    </button>
  );
}

const loadMenu = lazyStyledImport(() => import("./panel/add-menu.tsx"));

function AddButton({ episode, small }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const giveUp = useGiveUp(setOpen, false);
  const menu = useLazyModule(isOpen, loadMenu, giveUp);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Add to playlist: ${episode.title}`}
        title={small ? "Add to playlist" : undefined}
        onClick={() => setOpen(!isOpen)}
        className={lookOf(small)}
      >
        <ListMusic aria-hidden size={18} strokeWidth={1.75} />
        {!small && <span>Add to playlist</span>}
      </button>
      {menu && (
        <menu.AddMenu episode={episode} anchor={button} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
