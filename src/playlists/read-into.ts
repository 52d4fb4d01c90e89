import { ApiError } from "#site/api.ts";
import type { Change } from "./optimistic.ts";
import type { Read } from "./state.ts";

/**
 * Stores the result of `read`, or its failure; an earlier value stays until then.
 *
 * @throws what `read` rejects with
 */
export async function readInto<T>(set: (change: Change<Read<T>>) => void, read: () => Promise<T>) {
  set((now) => ({ ...now, error: null }));
  try {
    const value = await read();
    set(() => ({ value, error: null }));
  } catch (error) {
    const isMissing = error instanceof ApiError && error.status === 404;
    set((now) => ({ ...now, error: isMissing ? "missing" : "failed" }));
    throw error;
  }
}
