import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port that Turnstile's siteverify is at. */
    turnstile: number;
  }
}

export const TURNSTILE_SECRET = "0x4AAAAAAA-tests";

/**
 * Cloudflare's siteverify for the tests in workerd. Tokens select the result: one that begins with `ok` is valid once,
 * `down` gets an outage, `cut` a closed connection, and any other is refused.
 */
export default async function start(project: TestProject) {
  const used = new Set<string>();
  const { port, stop } = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const token = form.get("response") ?? "";
    const answer = (success: boolean, ...errors: string[]) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ success, "error-codes": errors }));
    };
    if (request.url !== "/turnstile/v0/siteverify") return void response.writeHead(404).end();
    if (form.get("secret") !== TURNSTILE_SECRET) return answer(false, "invalid-input-secret");
    if (token.startsWith("down")) return void response.writeHead(503).end("<h1>Out of order</h1>");
    if (token.startsWith("cut")) return void response.destroy();
    if (!token.startsWith("ok")) return answer(false, "invalid-input-response");
    if (used.has(token)) return answer(false, "timeout-or-duplicate");
    used.add(token);
    answer(true);
  });
  project.provide("turnstile", port);
  return stop;
}
