import { hc } from "hono/client";
import type { AdminApi } from "#worker/api.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

/** Asks the user to confirm who they are; false if they do not. The admin area's shell sets it. */
export const identity: { confirm: () => Promise<boolean> } = { confirm: async () => false };

/** Repeats a request that needs a recent proof of who the user is once they have given it. */
async function fetchConfirmed(input: RequestInfo | URL, init?: RequestInit) {
  const response = await fetch(input, init);
  if (response.status !== 403) return response;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as ErrorBody | null;
  const isConfirmed = body?.error.code === "reauthentication_required" && (await identity.confirm());
  return isConfirmed ? fetch(input, init) : response;
}

/** The typed client of the admin API; the session cookie goes with each call. */
export const api = hc<AdminApi>("/api/admin", { fetch: fetchConfirmed });

/** An error as the server worded it. */
export class ApiError extends Error {
  readonly code: ErrorBody["error"]["code"];
  /** The input that the message belongs beside. */
  readonly field?: string;
  /** The messages of several inputs, by name. */
  readonly fields?: Record<string, string>;
  readonly status: number;
  /** Seconds after which the request may be repeated, if the server names them. */
  readonly retryAfter?: number;

  constructor(status: number, { code, message, field, fields }: ErrorBody["error"], retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = code;
    this.field = field;
    this.fields = fields;
  }
}

type JsonResponse = { ok: boolean; status: number; headers: Headers; json(): Promise<unknown> };

/**
 * @throws {ApiError} for any answer but a 2xx
 * @throws {TypeError} without a connection
 */
export async function ensureOk<R extends JsonResponse>(call: Promise<R>) {
  const response = await call;
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const error = body?.error ?? { code: "internal" as const, message: "Something went wrong." };
  throw new ApiError(response.status, error, Number(response.headers.get("Retry-After")) || undefined);
}

/** The JSON of a 2xx answer; throws as `ensureOk`. */
export async function readJson<T>(call: Promise<Omit<JsonResponse, "json"> & { json(): Promise<T> }>) {
  return (await ensureOk(call)).json();
}
