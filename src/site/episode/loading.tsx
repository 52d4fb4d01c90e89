import { Skeleton } from "#site/ui/states.tsx";

export const EpisodeLoading = () => (
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
