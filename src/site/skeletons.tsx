import type { ComponentType, ReactNode } from "react";
import { cx } from "#site/ui/cx.ts";
import { Skeleton } from "#site/ui/states.tsx";
import { pageHeadClass } from "#site/ui/title.tsx";
import { pageAt, type Skeleton as SkeletonName } from "#worker/addresses.ts";
import { programmeRow } from "./speaking/programme.tsx";
import { showHeadGrid } from "./podcast/head.tsx";
import { episodeCells, episodeGrid, episodeRow } from "./podcast/list.tsx";
import { coverageGrid, leadCell } from "./media/coverage.tsx";
import { releaseRow } from "./media/releases.tsx";
import { letterColumns, letterText } from "./letters/letter-layout.ts";
import { letterRow } from "./letters/list.tsx";
import { essayGrid, essayPictureCell, essayRow, essayWordsCell } from "./essays/list.tsx";
import { cardClass, cardGrid } from "./conversations/cards.tsx";

/** Skeleton of `PageHead`. */
const HeadLoading = () => (
  <div className={pageHeadClass}>
    <div className="grid gap-4 lg:col-span-8">
      <Skeleton className="h-10 w-64 max-w-full lg:h-20 lg:w-96" />
      <Skeleton className="h-6 w-full max-w-xl" />
    </div>
  </div>
);

const ARTICLES = 6;

const ConversationsLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ul aria-label="Loading articles" className={cardGrid}>
      {Array.from({ length: ARTICLES }, (_, card) => (
        <li key={card} className={cx(cardClass, "grid gap-3")}>
          <Skeleton className="aspect-3/2 w-full" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-7 w-4/5" />
          <Skeleton className="h-4 w-full" />
        </li>
      ))}
    </ul>
  </div>
);

const EpisodeLoading = () => (
  <div className="page grid gap-x-10 gap-y-8 py-8 lg:grid-cols-12">
    <div className="grid content-start gap-4 lg:col-span-7">
      <Skeleton className="h-4 w-56 max-w-full" />
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-3/5" />
      <Skeleton className="mt-4 h-5 w-full max-w-xl" />
      <Skeleton className="h-5 w-4/5 max-w-xl" />
    </div>
    <Skeleton className="aspect-square w-full lg:col-span-5" />
  </div>
);

const ESSAYS = 3;

const EssaysLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ol aria-label="Loading essays">
      {Array.from({ length: ESSAYS }, (_, row) => (
        <li key={row} className={essayRow}>
          <div className={essayGrid}>
            <div className={essayWordsCell}>
              <Skeleton className="h-4 w-56 max-w-full" />
              <Skeleton className="h-10 w-4/5" />
              <Skeleton className="h-5 w-full max-w-xl" />
              <Skeleton className="h-5 w-2/3" />
            </div>
            <Skeleton className={cx(essayPictureCell, "aspect-3/2 w-full max-md:-order-1")} />
          </div>
        </li>
      ))}
    </ol>
  </div>
);

/** Skeleton of an essay. */
const EssayLoading = () => (
  <div className="page grid grid-cols-1 gap-x-10 gap-y-8 py-10 lg:grid-cols-12">
    <div className="grid gap-4 lg:col-span-9 lg:col-start-4">
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-3/5" />
      <Skeleton className="mt-2 h-6 w-full max-w-xl" />
      <Skeleton className="mt-4 aspect-3/2 w-full" />
    </div>
  </div>
);

const LETTERS = 4;

const LettersLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ol aria-label="Loading letters">
      {Array.from({ length: LETTERS }, (_, row) => (
        <li key={row} className={letterRow}>
          <Skeleton className="h-4 w-24 lg:mt-1.5" />
          <div className="grid gap-2">
            <Skeleton className="h-7 w-3/5" />
            <Skeleton className="h-5 w-full max-w-lg" />
          </div>
        </li>
      ))}
    </ol>
  </div>
);

const LetterLoading = () => (
  <div className={letterColumns}>
    <div className={`${letterText} grid gap-4`}>
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-3/5" />
      <Skeleton className="mt-6 h-5 w-full" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  </div>
);

const CUTTINGS = 6;
const RELEASES = 3;

const MediaLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ul aria-label="Loading coverage" className={`${coverageGrid} border-t border-ink pt-16 pb-16`}>
      {Array.from({ length: CUTTINGS }, (_, place) => (
        <li key={place} className={place === 0 ? leadCell : undefined}>
          <div className="grid content-start gap-3">
            <Skeleton className="h-4 w-full" />
            <Skeleton className={place === 0 ? "h-24 w-11/12" : "h-7 w-11/12"} />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        </li>
      ))}
    </ul>
    <ol aria-label="Loading press releases" className="border-t border-ink pt-8">
      {Array.from({ length: RELEASES }, (_, place) => (
        <li key={place} className="border-t border-rule py-6 first:border-t-0">
          <div className={releaseRow}>
            <Skeleton className="h-4 w-28" />
            <div className="grid gap-3">
              <Skeleton className="h-7 w-3/5" />
              <Skeleton className="h-4 w-full max-w-xl" />
            </div>
          </div>
        </li>
      ))}
    </ol>
  </div>
);

const EPISODES = 6;

const PodcastLoading = () => (
  <div className="page py-8">
    <div className={showHeadGrid}>
      <Skeleton className="h-12 w-3/5 max-sm:col-span-full" />
      <Skeleton className="aspect-square w-full self-start sm:row-span-3 sm:row-start-1" />
      <Skeleton className="h-12 w-48 max-w-full" />
      <div className="grid content-start gap-4 max-sm:col-span-full">
        <Skeleton className="h-5 w-full max-w-xl" />
        <Skeleton className="h-5 w-4/5 max-w-xl" />
      </div>
    </div>
    <div className="mb-6 border-y border-ink py-4">
      <Skeleton className="h-12 w-full" />
    </div>
    <ol aria-label="Loading episodes" className="@container">
      {Array.from({ length: EPISODES }, (_, row) => (
        <li key={row} className={episodeRow}>
          <div className={episodeGrid}>
            <Skeleton className={cx(episodeCells.facts, "h-4 w-48 max-w-full")} />
            <Skeleton className={cx(episodeCells.title, "h-7 w-4/5")} />
            <Skeleton className={cx(episodeCells.picture, "aspect-square w-full self-start")} />
            <div className={cx("grid content-start gap-3", episodeCells.text)}>
              <Skeleton className="h-4 w-full" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </div>
        </li>
      ))}
    </ol>
  </div>
);

const ENGAGEMENTS = 3;

const SpeakingLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ol aria-label="Loading engagements" className="pt-12">
      {Array.from({ length: ENGAGEMENTS }, (_, place) => (
        <li key={place} className={programmeRow}>
          <Skeleton className="h-7 w-32" />
          <div className="grid gap-3">
            <Skeleton className="h-7 w-3/5" />
            <Skeleton className="h-4 w-full max-w-xl" />
          </div>
        </li>
      ))}
    </ol>
  </div>
);

/** Skeleton of a standing page: title, standfirst and the beginning of the text. */
const StandingLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <div className="grid gap-4 pt-8">
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-3/5 max-w-xl" />
    </div>
  </div>
);

const skeletons: Record<SkeletonName, ComponentType> = {
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
