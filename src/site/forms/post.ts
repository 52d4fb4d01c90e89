import type { ErrorBody } from "#worker/platform/errors.ts";

/** Whether it was taken. `fault` is what the server says of one field. */
export type Sent = { taken: boolean; fault?: { field: string; message: string } };

/** Posts the fields as JSON. Throws when the connection fails. */
export async function post(action: string, fields: object): Promise<Sent> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(action, { method: "POST", headers, body: JSON.stringify(fields) });
  return response.status === 422 ? faultOf(await response.json<ErrorBody>()) : { taken: response.ok };
}

const faultOf = ({ error: { field, message } }: ErrorBody): Sent => ({
  taken: false,
  ...(field && { fault: { field, message } }),
});
