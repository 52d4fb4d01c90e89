import { hc } from "hono/client";
import type { AdminApi } from "#worker/api.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

/** The typed client of the admin API; the session cookie goes with each call. */
export const api = hc<AdminApi>("/api/admin");

/** An error as the server worded it. */
export class ApiError extends Error {
  readonly code: ErrorBody["error"]["code"];
  /** The input that the message belongs beside. */
  readonly field?: string;
  readonly status: number;

  constructor(status: number, { code, message, field }: ErrorBody["error"]) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type JsonResponse = { ok: boolean; status: number; json(): Promise<unknown> };

/**
 * @throws {ApiError} for any answer but a 2xx
 * @throws {TypeError} without a connection
 */
export async function ensureOk<R extends JsonResponse>(call: Promise<R>) {
  const response = await call;
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  throw new ApiError(response.status, body?.error ?? { code: "internal", message: "Something went wrong." });
}

/** The JSON of a 2xx answer; throws as `ensureOk`. */
export async function readJson<T>(call: Promise<{ ok: boolean; status: number; json(): Promise<T> }>) {
  return (await ensureOk(call)).json();
}
