import { useCallback } from "react";
import { useToast } from "#site/shell/toast.ts";

/** Says that what was asked for could not be fetched. */
export function useSayOffline() {
  const say = useToast();
  return useCallback(() => say({ kind: "error", title: "Check your connection and try again." }), [say]);
}
