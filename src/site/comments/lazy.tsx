import { lazy, Suspense } from "react";
import { lazyImport } from "#site/ui/lazy-import.ts";
import type { SectionProps } from "./section.tsx";

const Section = lazy(lazyImport(() => import("./section.tsx")));

/** The comments, whose code comes in a file of its own: where they are switched off nobody loads it. */
export const Comments = ({
  comments,
  ...props
}: Omit<SectionProps, "comments"> & { comments: SectionProps["comments"] | null }) =>
  comments && (
    <Suspense>
      <Section comments={comments} {...props} />
    </Suspense>
  );
