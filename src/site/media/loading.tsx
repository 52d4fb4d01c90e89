import { Skeleton } from "#site/ui/states.tsx";
import { HeadLoading } from "../head-loading.tsx";
import { coverageGrid, leadCell } from "./coverage.tsx";
import { releaseRow } from "./releases.tsx";

const CUTTINGS = 6;
const RELEASES = 3;

export const MediaLoading = () => (
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
