import { useEffect, useRef, useState } from "react";
import { Badge } from "#site/ui/badge.tsx";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { useSpelling } from "#site/ui/spelling.ts";
import { counted } from "#site/ui/format.ts";
import type { Playlist } from "#worker/playlists/contract.ts";
import { readEpisodes } from "../lists.ts";
import { cardClass } from "./placeholders.tsx";
import { RoundPlay } from "./round-play.tsx";
import { useAttempt } from "../use-attempt.ts";
import { usePlayEpisodes } from "./use-play-episodes.ts";

/** A smart playlist's name is interface text. */
export function usePlaylistName({ name, isSmart }: Playlist) {
  const spell = useSpelling();
  return isSmart ? spell(name) : name;
}

type CardProps = {
  playlist: Playlist;
  show: string;
  /** The last opened playlist: it gets the focus back. */
  isLast: boolean;
  onOpen: () => void;
};

export function PlaylistCard({ playlist, show, isLast, onOpen }: CardProps) {
  const { description, isPublic, isSmart, episodeCount } = playlist;
  const name = usePlaylistName(playlist);
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLast) open.current?.focus();
  }, [isLast]);
  return (
    <article className={cardClass}>
      <h3 className="headline line-clamp-2 text-xl">{name}</h3>
      <p className="line-clamp-2 font-reading text-base text-muted">{description || "No description"}</p>
      <div className="flex items-center gap-2.5">
        <PlayPlaylist playlist={playlist} show={show} />
        <p className="figures mr-auto flex flex-wrap items-center gap-2 text-sm text-muted">
          <span>{counted(episodeCount, "episode")}</span>
          {isPublic && <Badge tone="accent">Public</Badge>}
          {isSmart && <Badge tone="info">Smart</Badge>}
        </p>
        <button
          ref={open}
          type="button"
          aria-label={`Open ${name}`}
          onClick={onOpen}
          className={cx(buttonClass({ tone: "bare", size: "sm" }), "-mr-3")}
        >
          Open
        </button>
      </div>
    </article>
  );
}

function PlayPlaylist({ playlist, show }: Pick<CardProps, "playlist" | "show">) {
  const { id, episodeCount } = playlist;
  const name = usePlaylistName(playlist);
  const [isBusy, setBusy] = useState(false);
  const attempt = useAttempt();
  const playEpisodes = usePlayEpisodes(show);
  const play = async () => {
    setBusy(true);
    await attempt(`${name} didn’t start`, async () => playEpisodes(await readEpisodes(id)));
    setBusy(false);
  };
  return (
    <RoundPlay
      label={`Play ${name}`}
      disabled={episodeCount === 0}
      busy={isBusy}
      onPlay={() => void play()}
    />
  );
}
