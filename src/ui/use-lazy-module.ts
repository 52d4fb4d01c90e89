import { useEffect, useEffectEvent, useState } from "react";

/**
 * A module that loads when `want` is first truthy; null until it is loaded. `load` is a constant function. After a failure,
 * another truthy value of `want` loads it again.
 */
export function useLazyModule<T>(
  want: unknown,
  load: () => Promise<T>,
  onError: (error: unknown) => void = console.error,
) {
  const [module, setModule] = useState<{ value: T } | null>(null);
  const isMissing = module === null;
  const fail = useEffectEvent(onError);
  useEffect(() => {
    if (want && isMissing)
      load().then(
        (value) => setModule({ value }),
        (error: unknown) => fail(error),
      );
  }, [want, isMissing, load]);
  return module?.value ?? null;
}
