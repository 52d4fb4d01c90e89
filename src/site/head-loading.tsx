import { Skeleton } from "#site/ui/states.tsx";
import { pageHeadClass } from "#site/ui/title.tsx";

/** Skeleton of `PageHead`. */
export const HeadLoading = () => (
  <div className={pageHeadClass}>
    <div className="grid gap-4 lg:col-span-8">
      <Skeleton className="h-10 w-64 max-w-full lg:h-20 lg:w-96" />
      <Skeleton className="h-6 w-full max-w-xl" />
    </div>
  </div>
);
