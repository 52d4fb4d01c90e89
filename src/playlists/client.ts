import { hc } from "hono/client";
import { listenerId } from "#site/player/listener.ts";
import type { ListenerApi } from "#worker/api.ts";

/** The typed client of the listener's API. The first call creates the listener's id. */
export const api = hc<ListenerApi>("/api", { headers: () => ({ "Listener-Id": listenerId() }) });
