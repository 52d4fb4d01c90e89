import { createHash } from "node:crypto";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the service of leaked passwords. */
    leakedPasswords: number;
  }
}

/** Passwords that keep all rules, and how often each has leaked; 0 as in a line that only pads the answer. */
export const LEAKED = { "Verandah Tram 9": 3, "Quiet Harbour 8": 0 };

const lines = Object.entries(LEAKED).map(([password, count]) => ({
  hash: createHash("sha1").update(password).digest("hex").toUpperCase(),
  count,
}));

/**
 * The range API of Have I Been Pwned, as its documentation describes it: lines with CRLF, each the last 35 digits of a SHA-1
 * and a count. Below `/down` there is an outage, below `/cut` a closed connection, below `/html` a page, below `/moved` a redirect to the answer,
 * and below `/endless`
 * an answer without an end.
 */
export const startLeakedPasswords = () =>
  startHttpServer((request, response) => {
    const [, mode = "", prefix = ""] = /^\/?(.*)\/range\/([0-9A-F]{5})$/.exec(request.url ?? "") ?? [];
    if (mode === "down") return void response.writeHead(503).end("<h1>Out of order</h1>");
    if (mode === "cut") return void response.destroy();
    if (mode === "moved") return void response.writeHead(302, { Location: `/range/${prefix}` }).end();
    if (mode === "html") return void response.end("<!doctype html><title>Sign in</title>");
    if (request.headers["add-padding"] !== "true" || prefix === "") return void response.writeHead(400).end();
    const others = ["0018A45C4D1DEF81644B54AB7F969B88D65:1", "00D4F6E8FA6EECAD2A3AA415EEC418D38EC:2"];
    const own = lines
      .filter(({ hash }) => hash.startsWith(prefix))
      .map(({ hash, count }) => `${hash.slice(5)}:${count}`);
    response.writeHead(200, { "Content-Type": "text/plain" });
    response.write([...others, ...own, "0".repeat(35) + ":0"].join("\r\n"));
    if (mode !== "endless") return void response.end();
    const more = setInterval(() => response.write(`\r\n${"F".repeat(35)}:0`.repeat(1000)), 1);
    response.once("close", () => clearInterval(more));
  });

export default async function start(project: TestProject) {
  const { port, stop } = await startLeakedPasswords();
  project.provide("leakedPasswords", port);
  return stop;
}
