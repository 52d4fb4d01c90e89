import { useEffect, useState } from "react";

/**
 * A part that is fetched when it is first wanted; null until it is here. `load` is a constant function. A part that
 * cannot be fetched is asked for again the next time that it is wanted: when `want` is another true value.
 */
export function useLoaded<T>(want: unknown, load: () => Promise<T>) {
  const [part, setPart] = useState<{ value: T } | null>(null);
  const isMissing = part === null;
  useEffect(() => {
    if (want && isMissing) load().then((value) => setPart({ value }), console.error);
  }, [want, isMissing, load]);
  return part?.value ?? null;
}
