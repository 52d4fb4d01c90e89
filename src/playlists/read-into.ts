import { ApiError } from "#site/api.ts";
import type { Change } from "./optimistic.ts";
import type { Read } from "./state.ts";

/**
 * Keeps what `read` resolves to, or how it failed; an earlier value stays meanwhile.
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
