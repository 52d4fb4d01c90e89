import { hc } from "hono/client";
import { listenerId } from "#site/player/listener.ts";
import type { ListenerApi } from "#worker/api.ts";
import { ApiError } from "#site/api.ts";
import type { Change } from "./optimistic.ts";
import type { Read } from "./state.ts";

/** The typed client of the listener's API. The first call creates the listener's id. */
export const api = hc<ListenerApi>("/api", { headers: () => ({ "Listener-Id": listenerId() }) });

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
