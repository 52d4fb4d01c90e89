import { useCallback } from "react";
import { useToast } from "#site/shell/toast.ts";
import { GoneError } from "#site/ui/lazy-import.ts";

/** Says why the code of what was asked for did not load: there is no connection, or a newer version of the site. */
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

/** For a part that was opened and whose code could not be fetched: closes it, so that it can be opened again, and says so. */
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
