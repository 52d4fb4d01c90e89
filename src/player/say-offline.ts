import { useCallback } from "react";
import { useToast } from "#site/shell/toast.ts";

/** Says that what was asked for could not be fetched. */
export function useSayOffline() {
  const say = useToast();
  return useCallback(() => say({ kind: "error", title: "Check your connection and try again." }), [say]);
}

/** For a part that was opened and whose code could not be fetched: closes it, so that it can be opened again, and says so. */
export function useGiveUp<T>(setOpen: (open: T) => void, closed: T) {
  const sayOffline = useSayOffline();
  return useCallback(() => {
    setOpen(closed);
    sayOffline();
  }, [setOpen, closed, sayOffline]);
}
