import type { ComponentType, ReactNode } from "react";
import { pageAt, type Skeleton } from "#worker/addresses.ts";
import { ConversationsLoading } from "./conversations/cards.tsx";
import { EpisodeLoading } from "./episode/loading.tsx";
import { EssayLoading, EssaysLoading } from "./essays/loading.tsx";
import { LetterLoading, LettersLoading } from "./letters/loading.tsx";
import { MediaLoading } from "./media/loading.tsx";
import { PodcastLoading } from "./podcast/loading.tsx";
import { SpeakingLoading } from "./speaking/loading.tsx";
import { StandingLoading } from "./standing-loading.tsx";

const skeletons: Record<Skeleton, ComponentType> = {
  conversations: ConversationsLoading,
  episode: EpisodeLoading,
  essay: EssayLoading,
  essays: EssaysLoading,
  letter: LetterLoading,
  letters: LettersLoading,
  media: MediaLoading,
  podcast: PodcastLoading,
  speaking: SpeakingLoading,
  standing: StandingLoading,
};

/** The page's skeleton while it loads; `children` for a page that has none. */
export function PageSkeleton({ pathname, children }: { pathname: string; children: ReactNode }) {
  const name = pageAt(pathname)?.skeleton;
  const Shown = name && skeletons[name];
  return Shown ? <Shown /> : children;
}
