import { Skeleton } from "#site/ui/states.tsx";

/** Skeleton of a standing page: title, standfirst and the beginning of the text. */
export const StandingLoading = () => (
  <div className="page grid gap-10 pt-10 pb-8">
    <div className="grid gap-5">
      <Skeleton className="h-16 w-3/5 max-w-2xl" />
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="h-5 w-4/5 max-w-lg" />
    </div>
    <div className="grid gap-4 border-t border-rule pt-8">
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-5 w-3/5 max-w-xl" />
    </div>
  </div>
);
