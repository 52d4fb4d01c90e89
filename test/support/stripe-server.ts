import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the server that speaks Stripe's API. */
    stripe: number;
  }
}

type Stored = { id: string; [field: string]: unknown };
type StripeAccount = {
  objects: Map<string, Stored>;
  /** In the order in which they happened. */
  events: (Stored & { created: number; type: string })[];
  requests: string[];
};

const VERSION = "2024-06-20";
const OBJECTS = ["subscriptions", "charges", "prices"];
/** Fields that are ids unless the request expands them, by the beginning of the object's id. */
const EXPANDABLE: Record<string, string[]> = {
  sub_: ["customer", "latest_invoice", "latest_invoice.charge"],
  ch_: ["invoice"],
};

/**
 * Stripe's API as its OpenAPI description has it (github.com/stripe/openapi, version 2024-06-20), with an account for each key.
 * Tests fill an account by `/test/KEY/…`, which also signs notices as docs.stripe.com/webhooks describes.
 */
export const startStripeServer = (port = 0) => {
  const accounts = new Map<string, StripeAccount>();
  const accountOf = (key: string) => {
    const account = accounts.get(key) ?? { objects: new Map(), events: [], requests: [] };
    accounts.set(key, account);
    return account;
  };
  return startHttpServer((request, response) => void answer(accountOf, request, response), port);
};

async function answer(
  accountOf: (key: string) => StripeAccount,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = new URL(request.url!, "http://127.0.0.1");
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  const [, room, ...path] = url.pathname.split("/");
  if (room === "test") {
    const [key, kind] = path;
    const account = accountOf(key!);
    const body = await text(request);
    if (kind === "objects") {
      for (const object of JSON.parse(body) as Stored[]) account.objects.set(object.id, object);
      return send(200, {});
    }
    if (kind === "events") {
      account.events.push(...(JSON.parse(body) as StripeAccount["events"]));
      return send(200, {});
    }
    if (kind === "requests") return send(200, account.requests);
    const { secrets, at, body: signed } = JSON.parse(body) as { secrets: string[]; at: number; body: string };
    const signatures = secrets.map(
      (secret) => `v1=${createHmac("sha256", secret).update(`${at}.${signed}`).digest("hex")}`,
    );
    return send(200, { header: [`t=${at}`, ...signatures, "v0=0".padEnd(67, "0")].join(",") });
  }
  if (room === "pages") {
    const shown = `<!doctype html><title>Stripe</title><h1>${path.join("/")}</h1><ul>${[...url.searchParams]
      .map(([name, value]) => `<li>${name}: ${value}</li>`)
      .join(
        "",
      )}</ul><a href="${url.searchParams.get("success_url") ?? url.searchParams.get("return_url")}">Continue</a>`;
    return response.writeHead(200, { "Content-Type": "text/html" }).end(shown);
  }
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (!/^[rs]k_(?:test|live)_/.test(key) || key.includes("refused"))
    return send(401, {
      error: { message: "Invalid API Key provided: sk_test_***used", type: "invalid_request_error" },
    });
  if (request.headers["stripe-version"] !== VERSION)
    return send(400, { error: { message: "Invalid Stripe API version", type: "invalid_request_error" } });
  const account = accountOf(key);
  account.requests.push(`${request.method} ${url.pathname}`);
  if (key.includes("busy")) return send(429, { error: { message: "Too many requests", code: "rate_limit" } });
  const [kind, id] = path;
  if (request.method === "POST") {
    const form = new URLSearchParams(await text(request));
    const { status, body } = makePage(account, path.join("/"), form, request.headers.host!);
    return send(status, body);
  }
  if (kind === "account") return send(200, { id: `acct_${key.slice(8)}`, object: "account" });
  if (kind === "disputes") {
    const ofCharge = [...account.objects.values()].filter(
      ({ object, charge }) => object === "dispute" && charge === url.searchParams.get("charge"),
    );
    return send(200, { object: "list", url: "/v1/disputes", has_more: false, data: ofCharge });
  }
  if (kind === "events") {
    const { status, body } = listEvents(account, url.searchParams);
    return send(status, body);
  }
  const found = OBJECTS.includes(kind!) ? account.objects.get(id!) : undefined;
  if (found) return send(200, expanded(found, url.searchParams.getAll("expand[]")));
  const message = `No such ${kind?.slice(0, -1)}: '${id}'`;
  return send(404, { error: { code: "resource_missing", message, type: "invalid_request_error" } });
}

/** The fields of a page that Stripe requires. */
const PAGES: Record<string, string[]> = {
  "checkout/sessions": ["mode", "line_items[0][price]", "line_items[0][quantity]", "success_url"],
  "billing_portal/sessions": ["customer", "return_url"],
};

/** A page at this server, which shows what it was asked for. */
function makePage({ objects }: StripeAccount, path: string, form: URLSearchParams, host: string) {
  const missing = PAGES[path]?.find((name) => !form.get(name));
  const price = form.get("line_items[0][price]");
  const fault =
    PAGES[path] === undefined
      ? `Unrecognized request URL (POST: /v1/${path})`
      : missing
        ? `Missing required param: ${missing}.`
        : price !== null && !objects.has(price)
          ? `No such price: '${price}'`
          : null;
  if (fault) return { status: 400, body: { error: { message: fault, type: "invalid_request_error" } } };
  return { status: 200, body: { id: "page_1", url: `http://${host}/pages/${path}?${form}` } };
}

function listEvents({ events }: StripeAccount, query: URLSearchParams) {
  const types = query.getAll("types[]");
  const from = Number(query.get("created[gte]") ?? 0);
  const after = query.get("starting_after");
  const listed = events
    .filter(({ created, type }) => created >= from && (types.length === 0 || types.includes(type)))
    .toReversed();
  const start = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0)
    return {
      status: 400,
      body: { error: { message: `No such event: '${after}'`, type: "invalid_request_error" } },
    };
  const limit = Number(query.get("limit") ?? 10);
  const data = listed.slice(start, start + limit);
  const body = { object: "list", url: "/v1/events", has_more: listed.length > start + limit, data };
  return { status: 200, body };
}

/** The object with ids in place of those that the request does not expand. */
function expanded(object: Stored, asked: string[]) {
  const copy = structuredClone(object);
  const fields = Object.entries(EXPANDABLE).find(([begins]) => object.id.startsWith(begins))?.[1] ?? [];
  for (const field of fields.toReversed()) {
    if (asked.some((path) => path === field || path.startsWith(`${field}.`))) continue;
    const names = field.split(".");
    const last = names.pop()!;
    const holder = names.reduce<Record<string, unknown> | null>(
      (at, name) => (at?.[name] ?? null) as Record<string, unknown> | null,
      copy,
    );
    const value = holder?.[last];
    if (holder && typeof value === "object" && value !== null) holder[last] = (value as Stored).id;
  }
  return copy;
}

export default async function setup(project: TestProject) {
  const { port, stop } = await startStripeServer();
  project.provide("stripe", port);
  return stop;
}
