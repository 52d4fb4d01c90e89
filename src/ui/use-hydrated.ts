import { useSyncExternalStore } from "react";

/** False on the server and during hydration. */
export const useHydrated = () =>
  useSyncExternalStore(
    noChanges,
    () => true,
    () => false,
  );

const noChanges = () => () => {};
