import { useEffect } from "react";
import { toast, Toaster } from "#site/ui/toast.tsx";
import type { Notice } from "./toast.tsx";

/** Its effect runs after the toaster's own, which listens by then. */
export function NoticeToaster({ notice }: { notice: Notice }) {
  useEffect(() => {
    toast[notice.kind](notice.title, { description: notice.description });
  }, [notice]);
  return <Toaster />;
}
