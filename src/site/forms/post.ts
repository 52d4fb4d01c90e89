import type { ErrorBody } from "#worker/platform/errors.ts";

export type SubmitResult = {
  ok: boolean;
  /** The server's message about one field. */
  error?: { field: string; message: string };
  /** The server's message about the form as a whole. */
  message?: string;
  /** Whether the sender has to open a link in a mail first. */
  isUnconfirmed?: boolean;
};

/** Posts the fields as JSON. Throws when the connection fails. */
export async function post(action: string, fields: object): Promise<SubmitResult> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(action, { method: "POST", headers, body: JSON.stringify(fields) });
  if (response.ok) return { ok: true, ...(await response.json<Pick<SubmitResult, "isUnconfirmed">>()) };
  return response.status < 500 ? failure(await response.json<ErrorBody>()) : { ok: false };
}

const failure = ({ error: { field, message } }: ErrorBody): SubmitResult =>
  field ? { ok: false, error: { field, message } } : { ok: false, message };
