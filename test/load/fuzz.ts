import { Agent, request as openRequest, type IncomingHttpHeaders } from "node:http";
import * as fc from "fast-check";
import { ROLES } from "#worker/access/contract.ts";
import { sessions } from "#worker/accounts/table.ts";
import { LISTENER_HEADER } from "#worker/playlists/contract.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { newAddress, pause } from "./client.ts";
import { fuzzRequests, type FuzzRequest } from "./fuzz-requests.ts";
import { bodies } from "./bodies.ts";
import { LISTENER, readRows, UPLOAD, type Rows, type Sender } from "./known.ts";
import { startStripeServer } from "../support/stripe-server.ts";
import { signIn, startLoadSite } from "./site.ts";
import { valuesOf } from "./valid-values.ts";

/**
 * Requests to the built Worker, made from the routers themselves, of all roles: FUZZ_REQUESTS (20,000), from FUZZ_SEED.
 * Half is what a route takes, with an odd field here and there, the rest is rubbish. Ends with 1 on an answer of 5xx, one
 * that breaks off, one that takes longer than FUZZ_LONGEST_MS (2,000), an error of the API that is not its envelope, and
 * where less than 30 % are answered 2xx: then the requests go no further than the first check.
 */

const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const total = Number(process.env["FUZZ_REQUESTS"] ?? 20_000);
const longest = Number(process.env["FUZZ_LONGEST_MS"] ?? 2_000);
const AT_ONCE = 8;
/**
 * Requests between two sign-ins of each role and two reads of the site's rows: some requests sign out, others delete.
 */
const BATCH = 100;
/** Requests after which what earlier ones may have deleted is made again, which costs as much as a batch. */
const FILL_EVERY = 4 * BATCH;
/** About 36 % are usual. */
const LEAST_SUCCESSES = 0.3;

/** Of what the demo has none, and of what earlier requests may have deleted or switched off. */
const WANTED = [
  "POST /api/guest-applications",
  "POST /api/contact-messages",
  "POST /api/speaking-bookings",
  "POST /api/comments",
  "POST /api/admin/newsletters",
  "POST /api/admin/subscribers",
  "POST /api/admin/imports",
  "POST /api/playlists",
];

class KeptConnectionClosed extends Error {}

type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds until the answer began. A download may take longer: it fails after 20 s without a byte. */
  time: number;
};

console.log(`Fuzz: ${total} requests, FUZZ_SEED=${seed}.`);
const stripe = await startStripeServer();
const site = await startLoadSite({
  STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
  IMPORT_LOOPBACK: "on",
});
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const statuses = new Map<string, number>();
const failures: string[] = [];
let cookies: Partial<Record<Sender, string>> = {};
let slowest = 0;

for (let at = 0; at < total; at += BATCH) {
  cookies = await freshCookies();
  if (at % FILL_EVERY === 0) await fill(at);
  const rows = await withUploads(await readRows(site.ctx));
  const numRuns = Math.min(BATCH, total - at);
  const queue = fc.sample(fuzzRequests(rows), { seed: seed + at, numRuns }).values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
}
agent.destroy();
await Promise.race([site.stop(), pause(10_000)]);

const answers = [...statuses.values()].reduce((sum, count) => sum + count, 0);
const successes = [...statuses]
  .filter(([status]) => status.startsWith("2"))
  .reduce((sum, [, count]) => sum + count, 0);

console.log(
  [...statuses]
    .toSorted()
    .map(([status, count]) => `${status}: ${count}`)
    .join(", "),
);
console.log(`${Math.round((successes / answers) * 100)} % were answered 2xx.`);
console.log(`The slowest answer took ${Math.round(slowest)} ms.`);
if (successes / answers < LEAST_SUCCESSES) failures.push("Less than 30 % were answered 2xx.");
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(failures.length === 0 ? "Fuzz: no failure." : `Fuzz: ${failures.length} failures.`);
process.exit(failures.length === 0 ? 0 : 1);

async function work(queue: Iterator<FuzzRequest> & Iterable<FuzzRequest>) {
  for (const request of queue)
    await Promise.all(Array.from({ length: request.isTwice ? 2 : 1 }, () => judge(request)));
}

async function judge(request: FuzzRequest) {
  const answer = await send(request).catch((error: unknown) => String(error));
  const fault = typeof answer === "string" ? answer : faultOf(request, answer);
  if (fault) failures.push(`${fault}: ${describe(request)}`);
  const status = typeof answer === "string" ? "broken" : String(answer.status);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (typeof answer !== "string") slowest = Math.max(slowest, answer.time);
}

async function freshCookies() {
  await site.ctx.db.delete(sessions);
  const made = ROLES.map(async (role) => [role, await signIn(site.ctx, role)] as const);
  return Object.fromEntries(await Promise.all(made));
}

/** A request of the owner that must succeed. */
async function set<T>(method: string, path: string, given: unknown, type = "application/json"): Promise<T> {
  const body = Buffer.isBuffer(given) ? given : Buffer.from(JSON.stringify(given));
  const headers: FuzzRequest["headers"] = [["Content-Type", type]];
  const request: FuzzRequest = { method, path, headers, sender: "super_admin", isTwice: false, body };
  const answer = await send(request);
  if (answer.status >= 300) throw new Error(`${method} ${path} was refused: ${answer.status} ${answer.body}`);
  return (answer.body === "" ? undefined : JSON.parse(answer.body)) as T;
}

/** Makes one of each. What a rule between two fields refuses is not made this time. */
async function fill(at: number) {
  await set("PUT", "/api/admin/settings", { features: { ...siteDefaults.features, comments: true } });
  const { inBodies } = await readRows(site.ctx);
  const headers: FuzzRequest["headers"] = [
    ["Content-Type", "application/json"],
    [LISTENER_HEADER, LISTENER],
  ];
  for (const [index, route] of WANTED.entries()) {
    const [method = "", path = ""] = route.split(" ");
    const [value] = fc.sample(valuesOf(bodies[route]!, inBodies), { seed: seed + at + index, numRuns: 1 });
    const body = Buffer.from(JSON.stringify(value));
    await send({ method, path, headers, sender: "super_admin", isTwice: false, body });
  }
}

/** With two uploads of one part, one of which has it already. */
async function withUploads(rows: Rows): Promise<Rows> {
  const file = { name: "notes.txt", type: "text/plain", size: UPLOAD, folder: "uploads" };
  const begin = async () => (await set<{ id: string }>("POST", "/api/admin/files", file)).id;
  const [empty, full] = [await begin(), await begin()];
  const bytes = Buffer.alloc(UPLOAD, "a");
  await set("PUT", `/api/admin/files/${full}/parts/1`, bytes, "application/octet-stream");
  return {
    ...rows,
    inPaths: {
      ...rows.inPaths,
      "PUT /api/admin/files/:id/parts/:number": [empty],
      "POST /api/admin/files/:id/complete": [full],
    },
  };
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
  const { method, path, headers, sender, body } = request;
  const cookie = cookies[sender];
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
          ...(cookie && { Cookie: cookie }),
          ...(body && { "Content-Length": body.length }),
        },
      },
      (response) => {
        const time = performance.now() - start;
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        // May fire twice, if the connection breaks within the body.
        response.on("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            time,
          }),
        );
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error("20 s without a byte")));
    // A second error may follow the first, or the response: only the first event counts.
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

function describe({ method, path, headers, sender, body }: FuzzRequest) {
  const start = body?.subarray(0, 200).toString("latin1") ?? "";
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} of ${sender}: ${start}`;
}
