import { Skeleton } from "#site/ui/states.tsx";

const CARDS = 3;
const ROWS = 4;

export const CardsLoading = () => (
  <ul aria-label="Loading playlists" className={gridClass}>
    {Array.from({ length: CARDS }, (_, card) => (
      <li key={card} className={cardClass}>
        <Skeleton className="h-7 w-3/5" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="size-10 rounded-full" />
      </li>
    ))}
  </ul>
);

export const DetailLoading = () => (
  <div role="status" aria-label="Loading playlist" className={detailClass}>
    <div className="grid gap-4">
      <Skeleton className="h-12 w-4/5" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-10 w-3/5" />
    </div>
    <div className="grid gap-2">
      {Array.from({ length: ROWS }, (_, row) => (
        <Skeleton key={row} className="h-20 w-full rounded-lg" />
      ))}
    </div>
  </div>
);

/** The playlist's details beside its items. */
export const detailClass =
  "grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]";
export const gridClass = "grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3";
export const cardClass =
  "grid h-full grid-rows-[auto_1fr_auto] gap-2 rounded-lg border border-rule bg-raised p-4 sm:min-h-44";
