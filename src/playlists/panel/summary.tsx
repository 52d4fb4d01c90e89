import { useAtomValue, useStore } from "jotai";
import { Heart, History } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { counted } from "#site/ui/format.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { readFavorites } from "../favorites.ts";
import { optimisticValue } from "../optimistic.ts";
import { readSmart } from "../lists.ts";
import { RoundPlay } from "./round-play.tsx";
import { favoritesAtom } from "../state.ts";
import { hasAudio, usePlayEpisodes } from "./use-play-episodes.ts";

/** Favourites and Recently Played, which every listener has. */
export const Summary = ({ show }: { show: string }) => (
  <ul className="mb-8 grid grid-cols-1 gap-4 sm:grid-cols-2">
    <Favorites show={show} />
    <RecentlyPlayed show={show} />
  </ul>
);

function Favorites({ show }: { show: string }) {
  const store = useStore();
  const favorites = optimisticValue(useAtomValue(favoritesAtom));
  useEffect(() => void readFavorites(store).catch(console.warn), [store]);
  return (
    <SummaryCard
      icon={<Heart aria-hidden size={20} strokeWidth={1.75} />}
      title="Favorites"
      text={counted(favorites.length, "episode")}
      episodes={favorites.map(({ episode }) => episode)}
      show={show}
    />
  );
}

function RecentlyPlayed({ show }: { show: string }) {
  const [episodes, setEpisodes] = useState<EpisodeSummary[]>([]);
  useEffect(() => {
    readSmart("Recently Played").then(setEpisodes, console.warn);
  }, []);
  return (
    <SummaryCard
      icon={<History aria-hidden size={20} strokeWidth={1.75} />}
      title="Recently Played"
      text="Your listening history"
      episodes={episodes}
      show={show}
    />
  );
}

type SummaryCardProps = {
  icon: ReactNode;
  title: string;
  text: string;
  episodes: EpisodeSummary[];
  show: string;
};

function SummaryCard({ icon, title, text, episodes, show }: SummaryCardProps) {
  const playEpisodes = usePlayEpisodes(show);
  return (
    <li className="flex items-center gap-4 rounded-lg border border-rule bg-tint p-4">
      <span className="text-signal">{icon}</span>
      <div className="mr-auto">
        <h3 className="text-base font-semibold">{title}</h3>
        <p className="figures text-sm text-muted">{text}</p>
      </div>
      <RoundPlay
        label={`Play ${title}`}
        disabled={!episodes.some(hasAudio)}
        onPlay={() => playEpisodes(episodes)}
      />
    </li>
  );
}
