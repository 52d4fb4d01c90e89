import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

/** What a receiver was sent; `bytes` is how many of its response left it. */
export type Received = { headers: Record<string, string>; body: string };

declare module "vitest" {
  interface ProvidedContext {
    /** The port that the receivers of webhooks listen on. */
    webhooks: number;
  }
}

/** Bytes of the response of `/NAME/huge`. */
export const HUGE = 20_000_000;

/**
 * Receivers of webhooks, each at its own path: `/NAME/ok` accepts events, `/NAME/broken/2` answers 500 twice and accepts
 * them then, `/NAME/gone` answers 410, `/NAME/moved` redirects to `/NAME/ok`, `/NAME/busy` is rate limited for two hours,
 * `/NAME/silent` never answers, `/NAME/stalled` never ends its response, `/NAME/huge` answers with 20 MB, and
 * `/NAME/received` lists all events to them.
 */
export default async function start(project: TestProject) {
  const received = new Map<string, Received[]>();
  const { port, stop } = await startHttpServer(async (request, response) => {
    const [, name = "", way = "", count = "0"] = (request.url ?? "").split("/");
    const events = received.get(name) ?? [];
    if (way === "received") return void response.end(JSON.stringify(events));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const event = {
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    received.set(name, [...events, event]);
    if (way === "silent") return;
    if (way === "stalled") return void response.write("It begins, and");
    if (way === "broken" && events.length < Number(count)) return void response.writeHead(500).end("Broken.");
    if (way === "gone") return void response.writeHead(410).end();
    if (way === "busy") return void response.writeHead(429, { "Retry-After": "7200" }).end();
    if (way === "moved") return void response.writeHead(302, { Location: `/${name}/ok` }).end();
    if (way === "huge") return void response.end("é".repeat(HUGE / 2));
    response.end("Thanks.");
  });
  project.provide("webhooks", port);
  return stop;
}
