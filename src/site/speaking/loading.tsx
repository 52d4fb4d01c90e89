import { Skeleton } from "#site/ui/states.tsx";
import { HeadLoading } from "../head-loading.tsx";
import { programmeRow } from "./programme.tsx";

const PLACEHOLDERS = 3;

export const SpeakingLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ol aria-label="Loading engagements" className="pt-12">
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
