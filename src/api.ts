import { hc } from "hono/client";
import type { AdminApi } from "#worker/api.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

/** The typed client of the admin API; the session cookie goes with each call. */
export const api = hc<AdminApi>("/api/admin");

/** A refusal as the server worded it. */
export class Refusal extends Error {
  readonly code: ErrorBody["error"]["code"];
  readonly field?: string;
  readonly status: number;

  constructor(status: number, { code, message, field }: ErrorBody["error"]) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type Answer = { ok: boolean; status: number; json(): Promise<unknown> };

/** A 2xx answer; throws `Refusal` for any other. */
export async function taken<A extends Answer>(call: Promise<A>) {
  const response = await call;
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  throw new Refusal(response.status, body?.error ?? { code: "internal", message: "Something went wrong." });
}

/** The JSON of a 2xx answer. */
export async function answerOf<T>(call: Promise<{ ok: boolean; status: number; json(): Promise<T> }>) {
  return (await taken(call)).json();
}
