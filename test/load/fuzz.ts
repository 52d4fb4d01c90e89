import { Agent, request as openRequest, type IncomingHttpHeaders } from "node:http";
import * as fc from "fast-check";
import { sessions } from "#worker/accounts/table.ts";
import { newAddress, pause } from "./client.ts";
import { fuzzRequests, type FuzzRequest } from "./fuzz-requests.ts";
import { signInOwner, startLoadSite } from "./site.ts";

/**
 * Rubbish against the built Worker, made from the routers themselves: FUZZ_REQUESTS (20,000) of them, from FUZZ_SEED.
 * Ends with 1 on an answer of 5xx, one that breaks off, one that takes longer than FUZZ_LONGEST_MS (2,000), and an error
 * of the API that is not its envelope.
 */

const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const total = Number(process.env["FUZZ_REQUESTS"] ?? 20_000);
const longest = Number(process.env["FUZZ_LONGEST_MS"] ?? 2_000);
const AT_ONCE = 8;
/** Requests after which the owner signs in again: some of the rubbish signs out. */
const SIGN_IN_EVERY = 100;
const BATCH = 500;

class KeptConnectionClosed extends Error {}

type Answer = { status: number; headers: IncomingHttpHeaders; body: string; time: number };

console.log(`Fuzz: ${total} requests, FUZZ_SEED=${seed}.`);
const site = await startLoadSite();
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const statuses = new Map<string, number>();
const failures: string[] = [];
let cookie = site.ownerCookie;
let sent = 0;
let slowest = 0;

for (let at = 0; at < total; at += BATCH) {
  const batch = fc.sample(fuzzRequests, { seed: seed + at, numRuns: Math.min(BATCH, total - at) });
  const queue = batch.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
}
agent.destroy();
await Promise.race([site.stop(), pause(10_000)]);

console.log(
  [...statuses]
    .toSorted()
    .map(([status, count]) => `${status}: ${count}`)
    .join(", "),
);
console.log(`The slowest answer took ${Math.round(slowest)} ms.`);
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(failures.length === 0 ? "Fuzz: no failure." : `Fuzz: ${failures.length} failures.`);
process.exit(failures.length === 0 ? 0 : 1);

async function work(queue: Iterator<FuzzRequest> & Iterable<FuzzRequest>) {
  for (const request of queue) {
    if (sent++ % SIGN_IN_EVERY === 0) cookie = await freshCookie();
    const answer = await send(request).catch((error: unknown) => String(error));
    const fault = typeof answer === "string" ? answer : faultOf(request, answer);
    if (fault) failures.push(`${fault}: ${describe(request)}`);
    const status = typeof answer === "string" ? "broken" : String(answer.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (typeof answer !== "string") slowest = Math.max(slowest, answer.time);
  }
}

async function freshCookie() {
  await site.ctx.db.delete(sessions);
  return signInOwner(site.ctx);
}

/** The server may close a persistent connection at any time (RFC 9112 §9.6): the request is then repeated on another. */
async function send(request: FuzzRequest): Promise<Answer> {
  try {
    return await sendOnce(request);
  } catch (error) {
    if (error instanceof KeptConnectionClosed) return send(request);
    throw error;
  }
}

function isReset({ code }: NodeJS.ErrnoException) {
  return code === "ECONNRESET" || code === "EPIPE";
}

/** @throws KeptConnectionClosed */
function sendOnce(request: FuzzRequest): Promise<Answer> {
  const { method, path, headers, isOwner, body } = request;
  const { hostname, port } = new URL(site.url);
  const start = performance.now();
  return new Promise<Answer>((resolve, reject) => {
    const given = Object.fromEntries(headers);
    const outgoing = openRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        timeout: 20_000,
        headers: {
          "CF-Connecting-IP": newAddress(),
          ...given,
          ...(isOwner && { Cookie: cookie }),
          ...(body && { "Content-Length": body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        // It may come twice, where the connection breaks within the body.
        response.on("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            time: performance.now() - start,
          }),
        );
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error("no answer within 20 s")));
    // A second error may follow the first, and one the answer: only what comes first counts.
    outgoing.on("error", (error) =>
      reject(outgoing.reusedSocket && isReset(error) ? new KeptConnectionClosed() : error),
    );
    outgoing.end(body ?? undefined);
  });
}

function faultOf(request: FuzzRequest, { status, headers, body, time }: Answer) {
  const { method, path } = request;
  if (status >= 500) return `answered ${status}`;
  if (time > longest) return `took ${Math.round(time)} ms`;
  const isRefusal = status >= 400 && path.startsWith("/api/") && method !== "HEAD";
  // A browser without scripts gets its form back, in its page.
  const isFormBack = isForm(request) && body.includes("<form");
  if (isRefusal && !isFormBack && !isEnvelope(body))
    return `refused with ${status} and no envelope (${headers["content-type"]})`;
  return null;
}

function isForm({ headers }: FuzzRequest) {
  return headers.some(([name, value]) => /^content-type$/i.test(name) && value.includes("form-urlencoded"));
}

function isEnvelope(body: string) {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    return typeof error?.code === "string" && typeof error.message === "string" && error.message !== "";
  } catch {
    return false;
  }
}

function describe({ method, path, headers, isOwner, body }: FuzzRequest) {
  const who = isOwner ? "as the owner" : "";
  const start = body?.subarray(0, 200).toString("latin1") ?? "";
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${who} ${start}`;
}
