import { Skeleton } from "#site/ui/states.tsx";
import { HeadLoading } from "./head-loading.tsx";

/** Skeleton of a standing page: title, standfirst and the beginning of the text. */
export const StandingLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <div className="grid gap-4 pt-8">
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-3/5 max-w-xl" />
    </div>
  </div>
);
