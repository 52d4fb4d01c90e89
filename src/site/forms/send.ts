import { useEffect, useRef } from "react";
import type { ErrorBody } from "#worker/platform/errors.ts";

/** Milliseconds. The server refuses what was filled in sooner (worker/platform/forms.ts), so a quick person waits here. */
const FILL_TIME = 2000;

/** Whether it was taken; a connection that failed is a refusal too. `fault` is what the server says of one field. */
export type Sent = { taken: boolean; fault?: { field: string; message: string } };

/** Posts the form's fields to its `action` as JSON, no sooner than a person could have filled it in. */
export function useSend() {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async (form: HTMLFormElement) => {
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const rest = shownAt.current + FILL_TIME - performance.now();
    await new Promise((resolve) => setTimeout(resolve, rest));
    return postJson(form.action, body);
  };
}

async function postJson(action: string, body: string): Promise<Sent> {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(action, { method: "POST", headers, body });
    return response.status === 422 ? faultOf(await response.json<ErrorBody>()) : { taken: response.ok };
  } catch (error) {
    console.error(error);
    return { taken: false };
  }
}

const faultOf = ({ error: { field, message } }: ErrorBody): Sent => ({
  taken: false,
  ...(field && { fault: { field, message } }),
});
