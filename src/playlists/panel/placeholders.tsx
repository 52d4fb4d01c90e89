import { Skeleton } from "#site/ui/states.tsx";

const CARDS = 3;
const ROWS = 4;

export const CardsLoading = () => (
  <ul aria-label="Loading playlists" className={gridClass}>
    {Array.from({ length: CARDS }, (_, card) => (
      <li key={card} className={cardClass}>
        <Skeleton className="h-7 w-3/5" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="mt-auto h-10 w-full" />
      </li>
    ))}
  </ul>
);

export const DetailLoading = () => (
  <div aria-busy className="grid gap-4">
    <Skeleton className="h-10 w-48" />
    <Skeleton className="h-12 w-3/5" />
    <Skeleton className="h-5 w-4/5 max-w-xl" />
    <ItemsLoading />
  </div>
);

const ItemsLoading = () => (
  <div className="mt-4 grid gap-2">
    {Array.from({ length: ROWS }, (_, row) => (
      <Skeleton key={row} className="h-20 w-full rounded-lg" />
    ))}
  </div>
);

export const gridClass = "grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3";
export const cardClass =
  "relative grid min-h-44 content-start gap-2 rounded-lg border border-rule bg-raised p-4";
