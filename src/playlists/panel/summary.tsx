import { useAtomValue } from "jotai";
import { Heart, History } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { useSpelling } from "#site/ui/spelling.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { optimisticValue } from "../optimistic.ts";
import { RoundPlay } from "./round-play.tsx";
import { favoritesAtom, favoritesReadAtom, recentAtom, type Read } from "../state.ts";
import { hasAudio, usePlayEpisodes } from "./use-play-episodes.ts";

type SummaryProps = { show: string; onReload: () => void };

/** Favourites and Recently Played, which every listener has. */
export const Summary = (props: SummaryProps) => (
  <ul className="mb-8 grid grid-cols-1 gap-4 sm:grid-cols-2">
    <Favorites {...props} />
    <RecentlyPlayed {...props} />
  </ul>
);

function Favorites(props: SummaryProps) {
  const spell = useSpelling();
  const { value, error } = useAtomValue(favoritesReadAtom);
  const favorites = optimisticValue(useAtomValue(favoritesAtom));
  return (
    <SummaryCard
      {...props}
      icon={<Heart aria-hidden size={20} strokeWidth={1.75} />}
      title={spell("Favourites")}
      text={counted(favorites.length, "episode")}
      episodes={{ value: value && favorites.map(({ episode }) => episode), error }}
    />
  );
}

const RecentlyPlayed = (props: SummaryProps) => (
  <SummaryCard
    {...props}
    icon={<History aria-hidden size={20} strokeWidth={1.75} />}
    title="Recently Played"
    text="Your listening history"
    episodes={useAtomValue(recentAtom)}
  />
);

type SummaryCardProps = SummaryProps & {
  icon: ReactNode;
  title: string;
  text: string;
  episodes: Read<EpisodeSummary[]>;
};

function SummaryCard({ icon, title, text, episodes: { value, error }, show, onReload }: SummaryCardProps) {
  const playEpisodes = usePlayEpisodes(show);
  const hasFailed = !value && error !== null;
  return (
    <li
      aria-busy={!value && !error}
      className="flex items-center gap-4 rounded-lg border border-rule bg-tint p-4"
    >
      <span className="text-signal">{icon}</span>
      <div className="mr-auto">
        <h3 className="text-base font-semibold">{title}</h3>
        {value && <p className="figures text-sm text-muted">{text}</p>}
        {hasFailed && (
          <p role="status" className="text-sm text-danger">
            Failed to load
          </p>
        )}
        {!value && !error && <p className="text-sm text-muted">Loading…</p>}
      </div>
      {hasFailed ? (
        <Button size="sm" aria-label={`Reload ${title}`} onClick={onReload}>
          Reload
        </Button>
      ) : (
        <RoundPlay
          label={`Play ${title}`}
          disabled={!value?.some(hasAudio)}
          onPlay={() => value && playEpisodes(value)}
        />
      )}
    </li>
  );
}
