import { useEffect } from "react";
import { useIsPlayerShown } from "#site/player/state.ts";
import { toast, Toaster } from "#site/ui/toast.tsx";
import type { Notice } from "./toast.tsx";

/** The player's bar is as high, and its seek line stands out of it on a phone. */
const OVER_BAR = "5rem";

/** Its effect runs after the toaster's own, which listens by then. */
export function NoticeToaster({ notice }: { notice: Notice }) {
  useEffect(() => {
    toast[notice.kind](notice.title, { description: notice.description });
  }, [notice]);
  return <Toaster above={useIsPlayerShown() ? OVER_BAR : undefined} />;
}
