import { Skeleton } from "#site/ui/states.tsx";
import { HeadLoading } from "../head-loading.tsx";
import { EssayListLoading } from "./list.tsx";

export const EssaysLoading = () => (
  <div className="page pb-8">
    <HeadLoading />
    <EssayListLoading />
  </div>
);

/** Skeleton of an essay. */
export const EssayLoading = () => (
  <div className="page grid grid-cols-1 gap-x-10 gap-y-8 py-10 lg:grid-cols-12">
    <div className="grid gap-4 lg:col-span-9 lg:col-start-4">
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-3/5" />
      <Skeleton className="mt-2 h-6 w-full max-w-xl" />
      <Skeleton className="mt-4 aspect-3/2 w-full" />
    </div>
  </div>
);
