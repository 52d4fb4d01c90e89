import { useEffect, useState } from "react";

/**
 * A part that is fetched when it is first wanted; null until it is here. `load` is a constant function. A part that
 * cannot be fetched is asked for again the next time that it is wanted.
 */
export function useLoaded<T>(wanted: boolean, load: () => Promise<T>) {
  const [part, setPart] = useState<{ value: T } | null>(null);
  const isMissing = wanted && part === null;
  useEffect(() => {
    if (isMissing) void load().then((value) => setPart({ value }));
  }, [isMissing, load]);
  return part?.value ?? null;
}
