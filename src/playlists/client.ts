import { hc } from "hono/client";
import { listenerId } from "#site/player/listener.ts";
import type { ListenerApi } from "#worker/api.ts";

/** The typed client of a listener's own: the secret goes with each call, and is made for the first. */
export const api = hc<ListenerApi>("/api", { headers: () => ({ "Listener-Id": listenerId() }) });
