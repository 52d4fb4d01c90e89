import { env } from "cloudflare:workers";

/** Starts the hourly limits over, which one test would else use up for the next. */
export async function forgetRates() {
  const { keys } = await env.KV.list({ prefix: "rate:" });
  await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
  await env.DB.exec("delete from rate_limits");
}

/** Requests of which one is refused, even if they are so slow that they fall into three periods of 20 each. */
export const MORE_THAN_A_BURST = 65;
