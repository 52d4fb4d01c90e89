import { Skeleton } from "#site/ui/states.tsx";
import { programmeRow } from "./programme.tsx";

const PLACEHOLDERS = 3;

export const SpeakingLoading = () => (
  <div className="page py-8">
    <div className="grid gap-6 pb-14 lg:py-10 lg:pb-20">
      <Skeleton className="h-16 w-72 max-w-full" />
      <Skeleton className="h-6 w-full max-w-xl" />
      <Skeleton className="h-12 w-60" />
    </div>
    <ol aria-label="Loading engagements" className="border-t border-ink pt-12">
      {Array.from({ length: PLACEHOLDERS }, (_, place) => (
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
