import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";
import { answerTo, imageAt } from "./linkedin-answers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the simulated LinkedIn API. */
    linkedIn: number;
  }
}

/** A post as the Posts API returns it. */
export type ServedPost = { id: string } & Record<string, unknown>;

/** Faults of the next requests, by a part of their path; each happens once. */
export type Fault = {
  path: string;
  is: "expired" | "revoked" | "busy" | "no-permission" | "sunset" | "down" | "cut" | "html";
};

export type Account = {
  posts: ServedPost[];
  /** Reactions by kind and comments, by URN. */
  counts: Record<string, { reactions: Record<string, number>; comments: number }>;
  shares: Record<string, number>;
  /** The response for a picture's address, by URN. */
  images: Record<string, "png" | "html" | "private" | "redirect-private" | "gone" | "none">;
  vanityName?: string;
  /** Permissions that the token lacks. */
  forbidden: string[];
  /** Requests until the token expires. */
  expiresAfter?: number;
  faults: Fault[];
  requests: { path: string; headers: Record<string, string> }[];
};

const emptyAccount = (): Account => ({
  posts: [],
  counts: {},
  shares: {},
  images: {},
  forbidden: [],
  faults: [],
  requests: [],
});

/**
 * LinkedIn's API as documented, over a real socket: posts by author in pages, social metadata, images and their bytes,
 * statistics of a post. Each token is a separate account, which `PUT /account` sets up.
 */
export async function startLinkedIn(port = 0) {
  const accounts = new Map<string, Account>();
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, `http://${request.headers.host}`);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/account") {
      if (request.method === "PUT") {
        accounts.set(token, { ...emptyAccount(), ...((await readJson(request)) as Partial<Account>) });
      }
      return answer(200, accounts.get(token) ?? null);
    }
    if (url.pathname.startsWith("/dms/image/")) return imageAt(url, response);
    const account = accounts.get(token);
    if (!account) return answer(401, refusal(401, "INVALID_ACCESS_TOKEN", "Invalid access token", 65600));
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    account.requests.push({ path: url.pathname + url.search, headers });
    if (account.expiresAfter !== undefined && account.requests.length > account.expiresAfter)
      return answer(...EXPIRED);
    const at = account.faults.findIndex(({ path }) => url.pathname.includes(path));
    if (at >= 0) return fail(account.faults.splice(at, 1)[0]!.is, response, answer);
    if (account.forbidden.some((path) => url.pathname.includes(path))) return answer(...NO_PERMISSION);
    if (url.pathname.startsWith("/rest/")) {
      if (!/^\d{6}$/.test(headers["linkedin-version"] ?? ""))
        return answer(
          400,
          refusal(
            400,
            "VERSION_MISSING",
            "A version must be present. Please specify a version by adding the LinkedIn-Version header.",
          ),
        );
      if (headers["x-restli-protocol-version"] !== "2.0.0")
        return answer(400, refusal(400, "ILLEGAL_ARGUMENT", "Syntax exception in path"));
    }
    const body = answerTo(account, url, `http://${request.headers.host}`);
    return body
      ? answer(200, body)
      : answer(404, refusal(404, "RESOURCE_NOT_FOUND", `No virtual resource found`));
  }

  return { ...(await startHttpServer(listener, port)), accounts };
}

export default async function start(project: TestProject) {
  const { port, stop } = await startLinkedIn();
  project.provide("linkedIn", port);
  return stop;
}

async function readJson(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

const refusal = (status: number, code: string, message: string, serviceErrorCode = status) => ({
  status,
  serviceErrorCode,
  code,
  message,
});

const EXPIRED = [
  401,
  refusal(401, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired", 65601),
] as const;
const NO_PERMISSION = [
  403,
  refusal(403, "ACCESS_DENIED", "Not enough permissions to access: posts.FINDER-author.NO_VERSION", 100),
] as const;

type Answer = (status: number, body: unknown, headers?: Record<string, string>) => void;

function fail(is: Fault["is"], response: ServerResponse, answer: Answer) {
  switch (is) {
    case "expired":
      return answer(...EXPIRED);
    case "revoked":
      return answer(
        401,
        refusal(
          401,
          "REVOKED_ACCESS_TOKEN",
          "The token used in the request has been revoked by the user",
          65601,
        ),
      );
    case "busy":
      return answer(
        429,
        refusal(
          429,
          "TOO_MANY_REQUESTS",
          "Resource level throttle APPLICATION DAY limit for calls to this resource is reached.",
          101,
        ),
        { "Retry-After": "1" },
      );
    case "no-permission":
      return answer(...NO_PERMISSION);
    case "sunset":
      return answer(426, refusal(426, "NONEXISTENT_VERSION", "Requested version 20230101 is not active"));
    case "down":
      return answer(503, refusal(503, "SERVICE_UNAVAILABLE", "Service Unavailable"));
    case "cut":
      return response.destroy();
    case "html":
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end("<h1>Sign in</h1>");
  }
}
