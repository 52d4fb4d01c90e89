import type { ErrorBody } from "#worker/platform/errors.ts";

/** `error` is the server's message about one field. */
export type SubmitResult = { ok: boolean; error?: { field: string; message: string } };

/** Posts the fields as JSON. Throws when the connection fails. */
export async function post(action: string, fields: object): Promise<SubmitResult> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(action, { method: "POST", headers, body: JSON.stringify(fields) });
  return response.status === 422 ? failure(await response.json<ErrorBody>()) : { ok: response.ok };
}

const failure = ({ error: { field, message } }: ErrorBody): SubmitResult => ({
  ok: false,
  ...(field && { error: { field, message } }),
});
