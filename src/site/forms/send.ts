import { useEffect, useRef } from "react";

/** Milliseconds. The server refuses what was filled in sooner (worker/platform/forms.ts), so a quick person waits here. */
const FILL_TIME = 2000;

/**
 * Posts the form's fields to its `action` as JSON, no sooner than a person could have filled it in. Whether it was
 * taken; a connection that failed is a refusal too.
 */
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

async function postJson(action: string, body: string) {
  try {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(action, { method: "POST", headers, body })).ok;
  } catch (error) {
    console.error(error);
    return false;
  }
}
