import { Skeleton } from "#site/ui/states.tsx";
import { HeadLoading } from "../head-loading.tsx";
import { letterColumns, letterText } from "./letter-layout.ts";
import { letterRow } from "./list.tsx";

const PLACEHOLDERS = 4;

export const LettersLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <ol aria-label="Loading letters">
      {Array.from({ length: PLACEHOLDERS }, (_, row) => (
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

export const LetterLoading = () => (
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
