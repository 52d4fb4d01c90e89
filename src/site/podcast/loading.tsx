import { Skeleton } from "#site/ui/states.tsx";
import { EpisodeListLoading } from "./list.tsx";

export const PodcastLoading = () => (
  <div className="page py-8">
    <div className="grid gap-8 pb-12 sm:grid-cols-[12rem_1fr] lg:grid-cols-[17.5rem_1fr] lg:gap-12">
      <Skeleton className="aspect-square w-40 sm:w-full" />
      <div className="grid content-start gap-4">
        <Skeleton className="h-12 w-3/5" />
        <Skeleton className="h-5 w-full max-w-xl" />
        <Skeleton className="h-5 w-4/5 max-w-xl" />
      </div>
    </div>
    <div className="mb-6 border-y border-ink py-4">
      <Skeleton className="h-12 w-full" />
    </div>
    <EpisodeListLoading />
  </div>
);
