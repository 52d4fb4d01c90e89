import { useSyncExternalStore } from "react";

/** False in what the server rendered and while that comes alive. */
export const useHydrated = () =>
  useSyncExternalStore(
    noChanges,
    () => true,
    () => false,
  );

const noChanges = () => () => {};
