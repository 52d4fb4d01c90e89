import { useCallback } from "react";
import { useToast } from "#site/shell/toast.ts";
import { GoneError } from "#site/ui/lazy-import.ts";

/** Shows why a part's code did not load: no connection, or a newer version of the site. */
export function useSayOffline() {
  const say = useToast();
  return useCallback(
    (error: unknown) => {
      if (error instanceof GoneError) say({ kind: "update" });
      else say({ kind: "error", title: "Check your connection and try again." });
    },
    [say],
  );
}

/**
 * Error handler of an opened part whose code failed to load: closes it, so that it can be opened again, and shows why.
 */
export function useGiveUp<T>(setOpen: (open: T) => void, closed: T) {
  const sayOffline = useSayOffline();
  return useCallback(
    (error: unknown) => {
      setOpen(closed);
      sayOffline(error);
    },
    [setOpen, closed, sayOffline],
  );
}
