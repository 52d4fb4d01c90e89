import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

/** An email as the API takes it. */
export type TakenMail = {
  id: string;
  from: string;
  to: string[];
  reply_to?: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  attachments?: { filename: string; content_type: string; content: string }[];
};

/** What an account did with the requests that it got, in their order. */
export type ResendRequest = { key: string; mails: number; answer: number | "cut" };

declare module "vitest" {
  interface ProvidedContext {
    /** The port that Resend's API is at. */
    resend: number;
  }
}

export const RESEND_KEY = "re_test_1234";

type Account = {
  /** Faults of the next requests. */
  faults: Fault[];
  taken: TakenMail[];
  requests: ResendRequest[];
  keys: Map<string, { body: string; answer: string }>;
};

/**
 * `cut-before` hangs up before it took the batch, `cut-after` behind that; the others are answers of the API. A quota
 * that is used up says nothing of when it will not be.
 */
export type Fault =
  | "busy"
  | "daily-quota"
  | "down"
  | "concurrent"
  | "unverified"
  | "proxy"
  | "cut-before"
  | "cut-after";

type ApiError = { status: number; name: string; message: string; headers?: Record<string, string> };

const errorOf: Partial<Record<Fault, ApiError>> = {
  busy: {
    status: 429,
    name: "rate_limit_exceeded",
    message: "Too many requests. You can only make 2 requests per second.",
    headers: {
      "ratelimit-limit": "2",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "1",
      "retry-after": "3",
    },
  },
  "daily-quota": {
    status: 429,
    name: "daily_quota_exceeded",
    message: "You have reached your daily email quota.",
  },
  down: { status: 500, name: "application_error", message: "An unexpected error occurred." },
  concurrent: {
    status: 409,
    name: "concurrent_idempotent_requests",
    message: "Another request with the same idempotency key is being processed.",
  },
  unverified: {
    status: 403,
    name: "validation_error",
    message: "The example.com domain is not verified.",
    headers: { "ratelimit-limit": "2", "ratelimit-remaining": "1", "ratelimit-reset": "1" },
  },
};

/**
 * Resend's API for the tests in workerd, one account for each path: `/NAME` is a base address, `/NAME/taken` lists the
 * accepted emails, `/NAME/requests` the requests, and `POST /NAME/faults` sets the faults of the next requests.
 */
export default async function start(project: TestProject) {
  const accounts = new Map<string, Account>();
  const { port, stop } = await startHttpServer(async (request, response) => {
    const [, name = "", ...rest] = (request.url ?? "").split("/");
    const account = accounts.get(name) ?? { faults: [], taken: [], requests: [], keys: new Map() };
    accounts.set(name, account);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const path = rest.join("/");
    if (path === "taken") return void response.end(JSON.stringify(account.taken));
    if (path === "requests") return void response.end(JSON.stringify(account.requests));
    if (path === "faults") {
      account.faults = JSON.parse(body) as Fault[];
      return void response.end();
    }
    answer(account, { request, response, path, body });
  });
  project.provide("resend", port);
  return stop;
}

type Exchange = { request: IncomingMessage; response: ServerResponse; path: string; body: string };

const BAD_RECIPIENT = "Invalid `to` field. The email address needs to follow the `email@example.com` format.";
const badRecipient: ApiError = { status: 422, name: "validation_error", message: BAD_RECIPIENT };

function answer(account: Account, { request, response, path, body }: Exchange) {
  const key = String(request.headers["idempotency-key"] ?? "");
  const note = (outcome: ResendRequest["answer"], mails = 0) =>
    void account.requests.push({ key, mails, answer: outcome });
  const refuse = ({ status, headers, ...error }: ApiError) => {
    note(status);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify({ statusCode: status, ...error }));
  };
  const isBatch = path === "emails/batch";
  if (request.method !== "POST" || !(isBatch || path === "emails")) {
    return refuse({ status: 404, name: "not_found", message: "The requested endpoint does not exist." });
  }
  if (request.headers.authorization !== `Bearer ${RESEND_KEY}`) {
    return refuse({ status: 401, name: "invalid_api_key", message: "API key is invalid" });
  }
  const fault = account.faults.shift();
  if (fault === "cut-before") {
    note("cut");
    return void response.destroy();
  }
  if (fault === "proxy") {
    note(502);
    return void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad\n gateway</h1>");
  }
  const error = fault && errorOf[fault];
  if (error) return refuse(error);
  const known = account.keys.get(key);
  if (known && known.body !== body) {
    return refuse({
      status: 409,
      name: "invalid_idempotent_request",
      message: "Same idempotency key used with a different request payload.",
    });
  }
  const mails = (isBatch ? JSON.parse(body) : [JSON.parse(body)]) as Omit<TakenMail, "id">[];
  if (isBatch && mails.some(({ attachments }) => attachments)) {
    return refuse({ status: 422, name: "validation_error", message: "A batch takes no attachments." });
  }
  if (!Array.isArray(mails) || mails.length === 0 || mails.length > 100) {
    return refuse({ status: 422, name: "validation_error", message: "Between 1 and 100 emails." });
  }
  /** One email that is refused is refused as the request is: there is nothing permissive about it. */
  const takeAs = (asBatch: boolean) => {
    const isPermissive = asBatch && request.headers["x-batch-validation"] === "permissive";
    if (asBatch) return take(account, mails, isPermissive);
    const { data } = JSON.parse(take(account, mails, true)) as { data: { id: string }[] };
    return data[0] ? JSON.stringify(data[0]) : null;
  };
  const text = known?.answer ?? takeAs(isBatch);
  if (text === null) return refuse(badRecipient);
  if (key) account.keys.set(key, { body, answer: text });
  note(fault === "cut-after" ? "cut" : 200, mails.length);
  if (fault === "cut-after") return void response.destroy();
  response.writeHead(200, { "Content-Type": "application/json" }).end(text);
}

const ADDRESS = /^(?:[^<>]* <)?[\x21-\x7e]+@[\x21-\x7e]+\.[a-z]+>?$/u;

function take(account: Account, mails: Omit<TakenMail, "id">[], isPermissive: boolean) {
  const errors = mails.flatMap(({ to }, index) =>
    to.every((address) => ADDRESS.test(address))
      ? []
      : [
          {
            index,
            message: BAD_RECIPIENT,
          },
        ],
  );
  const faulty = new Set(errors.map(({ index }) => index));
  const taken = mails
    .filter((_mail, index) => isPermissive && !faulty.has(index))
    .map((mail) => ({ ...mail, id: crypto.randomUUID() }));
  account.taken.push(...taken);
  return JSON.stringify({ data: taken.map(({ id }) => ({ id })), errors });
}
