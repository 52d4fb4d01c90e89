import { Skeleton } from "#site/ui/states.tsx";
import { showHeadGrid } from "./head.tsx";
import { EpisodeListLoading } from "./list.tsx";

export const PodcastLoading = () => (
  <div className="page py-8">
    <div className={showHeadGrid}>
      <Skeleton className="h-12 w-3/5 max-sm:col-span-full" />
      <Skeleton className="aspect-square w-full self-start sm:row-span-3 sm:row-start-1" />
      <Skeleton className="h-12 w-48 max-w-full" />
      <div className="grid content-start gap-4 max-sm:col-span-full">
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
