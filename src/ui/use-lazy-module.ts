import { useEffect, useState } from "react";

/**
 * A module that loads when `want` is first truthy; null until it is loaded. `load` and `onError` are constant functions.
 * After a failure, another truthy value of `want` loads it again.
 */
export function useLazyModule<T>(want: unknown, load: () => Promise<T>, onError = console.error) {
  const [module, setModule] = useState<T | null>(null);
  const isMissing = module === null;
  useEffect(() => {
    if (want && isMissing) load().then((loaded) => setModule(() => loaded), onError);
  }, [want, isMissing, load, onError]);
  return module;
}
