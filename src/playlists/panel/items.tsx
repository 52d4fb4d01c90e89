import { useStore } from "jotai";
import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { Artwork } from "#site/shell/artwork.tsx";
import { EpisodeFacts } from "#site/shell/episode-facts.tsx";
import { Button } from "#site/ui/button.tsx";
import { ShowMore } from "#site/ui/show-more.tsx";
import { SortableList } from "#site/ui/sortable-list.tsx";
import { moved } from "#site/ui/sorting.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { Playlist, PlaylistItem } from "#worker/playlists/contract.ts";
import { removeEpisode, reorderItems } from "../lists.ts";
import { RoundPlay } from "./round-play.tsx";
import { useAttempt } from "../use-attempt.ts";
import { hasAudio, usePlayEpisodes } from "./use-play-episodes.ts";

type ItemsProps = { playlist: Playlist; items: PlaylistItem[]; show: string };

/** Items per step of Show more: dragging slows down with the number of items. */
const STEP = 100;

const LABEL = "Episodes of the playlist";

export function Items({ playlist, items, show }: ItemsProps) {
  const store = useStore();
  const attempt = useAttempt();
  const [most, setMost] = useState(STEP);
  const list = useRef<HTMLOListElement>(null);
  const playEpisodes = usePlayEpisodes(show);
  const play = (episode: EpisodeSummary) => playEpisodes([episode]);
  const reorder = (from: number, to: number) => {
    const ids = moved(items, from, to).map(({ id }) => id);
    void attempt("The new order wasn’t saved", () => reorderItems(store, playlist, ids));
  };
  const remove = ({ id, title }: EpisodeSummary) =>
    void attempt(`${title} wasn’t removed`, () => removeEpisode(store, playlist, id));
  if (playlist.isSmart) return <SmartItems items={items} onPlay={play} />;
  return (
    <div className="grid gap-4">
      <SortableList
        ref={list}
        items={items.slice(0, most).map(named)}
        total={items.length}
        label={LABEL}
        onMove={reorder}
      >
        {({ episode }) => (
          <Item episode={episode} onPlay={play}>
            <Button
              tone="bare"
              size="icon"
              aria-label={`Remove ${episode.title}`}
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget);
                remove(episode);
              }}
            >
              <X aria-hidden size={18} />
            </Button>
          </Item>
        )}
      </SortableList>
      {items.length > most && <ShowMore list={list} shown={most} onShow={() => setMost(most + STEP)} />}
    </div>
  );
}

/** Moves the focus to the same button of the next item, or to the panel. */
function focusBeside(button: HTMLElement) {
  const item = button.closest("li");
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  const next = [...(beside?.querySelectorAll("button") ?? [])].at(-1) ?? button.closest("section");
  next?.focus({ preventScroll: true });
}

const named = ({ id, episode }: PlaylistItem) => ({ id, name: episode.title, episode });

type OnPlay = (episode: EpisodeSummary) => void;

const SmartItems = ({ items, onPlay }: { items: PlaylistItem[]; onPlay: OnPlay }) => (
  <ol aria-label={LABEL} className="grid gap-2">
    {items.map(({ id, episode }) => (
      <li
        key={id}
        className="flex min-h-20 items-center gap-3 rounded-lg border border-rule bg-raised p-2 pl-4"
      >
        <Item episode={episode} onPlay={onPlay} />
      </li>
    ))}
  </ol>
);

type ItemProps = { episode: EpisodeSummary; onPlay: OnPlay; children?: ReactNode };

function Item({ episode, onPlay, children }: ItemProps) {
  return (
    <>
      <Artwork
        picture={episode.picture && { ...episode.picture, alt: "" }}
        seed={episode.id}
        figure={episode.episodeNumber}
        sizes="3.5rem"
        className="max-w-14 max-sm:hidden"
      />
      <div className="min-w-0 grow">
        <Link
          to={`/episode/${episode.id}`}
          className="headline line-clamp-2 text-lg underline-offset-4 hover:underline"
        >
          {episode.title}
        </Link>
        {/* Hides the date on a phone. */}
        <EpisodeFacts episode={episode} className="max-sm:[&>time:first-of-type]:hidden" />
      </div>
      <div className="flex shrink-0 items-center">
        <RoundPlay
          label={`Play ${episode.title}`}
          disabled={!hasAudio(episode)}
          onPlay={() => onPlay(episode)}
        />
        {children}
      </div>
    </>
  );
}
