import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

/** What a hub was sent. */
export type Ping = {
  method: string;
  type: string;
  body: string;
  /** Of the address. */
  query: string;
  authorization: string;
  userAgent: string;
};

declare module "vitest" {
  interface ProvidedContext {
    /** The port that the hub listens on. */
    hub: number;
  }
}

/**
 * WebSub hubs for the tests in workerd, each at its own path: `/NAME/ok` accepts pings, `/NAME/busy` is rate limited,
 * `/NAME/moved` redirects to `/NAME/ok`, `/NAME/refused` answers 401, `/NAME/echo` a 400 with the request's token, `/NAME/silent` never answers, and `/NAME/received` lists all pings to them.
 */
export default async function start(project: TestProject) {
  const received = new Map<string, Ping[]>();
  const { port, stop } = await startHttpServer(async (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const [, name = "", way = ""] = path.split("/");
    const pings = received.get(name) ?? [];
    if (way === "received") return void response.end(JSON.stringify(pings));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "", headers } = request;
    received.set(name, [
      ...pings,
      {
        method,
        type: headers["content-type"] ?? "",
        body: Buffer.concat(chunks).toString(),
        query,
        authorization: headers.authorization ?? "",
        userAgent: headers["user-agent"] ?? "",
      },
    ]);
    if (way === "silent") return;
    if (way === "busy") return void response.writeHead(503).end(`Come back\n later. ${"x".repeat(100_000)}`);
    if (way === "refused") return void response.writeHead(401).end("Invalid authorization token.");
    if (way === "echo") return void response.writeHead(400).end(`Bad header: ${headers.authorization}`);
    if (way === "moved") return void response.writeHead(307, { Location: `/${name}/ok` }).end();
    response.writeHead(204).end();
  });
  project.provide("hub", port);
  return stop;
}
