import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { audioBytes } from "./host-audio.ts";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the old podcast host. */
    podcastHost: number;
  }
}

/** The host's response at a path. */
export type Answer = {
  path: string;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Instead of `body`, in Base64. */
  bytes?: string;
};

const MB = 1024 * 1024;

/**
 * The old host of a podcast, over a real socket. `PUT /answers` sets its response at a path, `GET /asked/PATH` lists
 * the ranges that were requested there. `/audio/SEED/BYTES/WAY` is audio with this many bytes: `plain` with ranges,
 * `moved` (four redirects), `whole` without ranges, `endless` without a length, `cut` (each response breaks off after 9
 * MB), `busy` (503 at first), `slow`, `held` (stops after its first chunk until `release` is called), `gone`, `page`
 * (HTML as audio), `private` (redirects to an address that is not public), `ads` (another file at each request),
 * `adscut` (the same, and each breaks off after 9 MB), `changed` (the same, and only the first breaks off), `shrunk`
 * (and the following ones are 1 MB shorter and have no length), `unnamed` (the same with a length, and no ETag), `again`
 * (without ranges, and only the first breaks off).
 */
export async function startPodcastHost() {
  const answers = new Map<string, Answer>();
  const asked = new Map<string, string[]>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = await startHttpServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? "";
    if (request.method === "PUT") return store(request, response);
    if (path.startsWith("/asked/")) return void response.end(JSON.stringify(asked.get(path.slice(6)) ?? []));
    const before = asked.get(path) ?? [];
    asked.set(path, [...before, request.headers.range ?? ""]);
    const [, kind, seed = "", size = "", way = ""] = path.split("/");
    if (kind === "audio")
      return serveAudio(request, response, { seed, size: Number(size), way, turn: before.length, released });
    const answer = answers.get(path);
    if (!answer) return void response.writeHead(404).end();
    const body = answer.bytes === undefined ? (answer.body ?? "") : Buffer.from(answer.bytes, "base64");
    response.writeHead(answer.status ?? 200, answer.headers).end(body);
  }

  async function store(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    for (const answer of JSON.parse(Buffer.concat(chunks).toString()) as Answer[])
      answers.set(answer.path, answer);
    response.end();
  }

  return { ...server, answers, asked, release };
}

type Audio = { seed: string; size: number; way: string; turn: number; released: Promise<void> };

async function serveAudio(
  request: IncomingMessage,
  response: ServerResponse,
  { seed, size: fullSize, way, turn, released }: Audio,
) {
  const isShrunk = ["shrunk", "unnamed"].includes(way) && turn > 0;
  const size = isShrunk ? fullSize - MB : fullSize;
  const step = /^moved(\d?)$/.exec(way)?.[1];
  if (step !== undefined) {
    const next = Number(step || 0) + 1;
    const to = next > 4 ? "plain" : `moved${next}`;
    return void response.writeHead(302, { Location: `/audio/${seed}/${size}/${to}` }).end();
  }
  if (way === "private") return void response.writeHead(302, { Location: "http://10.0.0.1/a.mp3" }).end();
  if (way === "gone") return void response.writeHead(404).end();
  if (way === "busy" && turn < 1) return void response.writeHead(503).end();
  if (way === "page")
    return void response.writeHead(200, { "Content-Type": "audio/mpeg" }).end("<html><p>Sign in</p>");
  const hasRanges = !["whole", "endless", "again"].includes(way);
  const [, from] = /^bytes=(\d+)-$/.exec((hasRanges && request.headers.range) || "") ?? [];
  const first = Number(from ?? 0);
  if (first >= size && size > 0 && from !== undefined)
    return void response.writeHead(416, { "Content-Range": `bytes */${size}` }).end();
  const file = ["ads", "adscut", "changed", "shrunk", "unnamed"].includes(way) ? `${seed}-${turn}` : seed;
  response.writeHead(from === undefined ? 200 : 206, {
    "Content-Type": "audio/mpeg",
    ...(way !== "unnamed" && { ETag: `"${file}-${size}"` }),
    ...(hasRanges && { "Accept-Ranges": "bytes" }),
    ...(way !== "endless" && !(way === "shrunk" && isShrunk) && { "Content-Length": String(size - first) }),
    ...(from !== undefined && { "Content-Range": `bytes ${first}-${size - 1}/${size}` }),
  });
  const isCut =
    ["cut", "adscut"].includes(way) ||
    (["changed", "shrunk", "unnamed", "again"].includes(way) && turn === 0);
  const end = isCut ? Math.min(size, first + 9 * MB) : size;
  for (let at = first; at < end; at += 64 * 1024) {
    const piece = audioBytes(file, at, Math.min(end, at + 64 * 1024));
    if (!response.write(piece)) await drained(response);
    if (response.destroyed) return;
    if (way === "held") await released;
    if (way === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (end < size) response.destroy();
  else response.end();
}

/** Resolves when the client can receive more, or has closed the connection. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });

/** For the tests in workerd. */
export default async function start(project: TestProject) {
  const { port, stop } = await startPodcastHost();
  project.provide("podcastHost", port);
  return stop;
}
