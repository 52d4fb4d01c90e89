import type { Context } from "#worker/platform/context.ts";

export type Visit = {
  status: number;
  location: string | null;
  text: string;
  /** The cache's result: an `older` answer is stale and being renewed. */
  cache: "used" | "older" | "off";
};

/** Requests a path from this Worker as a visitor does, through its cache, without the network. */
export async function visit(
  { config }: Context,
  path: string,
  { method = "GET" }: { method?: "GET" | "HEAD" } = {},
): Promise<Visit> {
  // Imported here, since Node, which reads the list of routes, has no such module.
  const { exports } = await import("cloudflare:workers");
  const response = await exports.default.fetch(
    new Request(config.siteUrl + path, { method, redirect: "manual", headers: { Accept: "text/html" } }),
  );
  const [, source = ""] = /cache;desc="(\w+)"/.exec(response.headers.get("Server-Timing") ?? "") ?? [];
  return {
    status: response.status,
    location: response.headers.get("Location"),
    text: await response.text(),
    cache: source === "stale" ? "older" : ["hit", "miss"].includes(source) ? "used" : "off",
  };
}
