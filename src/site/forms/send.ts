import { useEffect, useRef } from "react";
import { GoneError, lazyImport } from "#site/ui/lazy-import.ts";
import type { SubmitResult } from "./post.ts";

/** Milliseconds. The server refuses forms that are filled in sooner (worker/platform/http/forms.ts). */
const FILL_TIME = 2000;

/** The ref of a form that shows its own messages. Without scripts the browser shows its bubbles, one at a time. */
export function withoutBubbles(form: HTMLFormElement | null) {
  if (form) form.noValidate = true;
}

const loadPost = lazyImport(() => import("./post.ts"));

/**
 * Posts the form's fields to its `action`, at the earliest after `FILL_TIME`. A failed connection is `ok: false` too. If a
 * newer version of the site has replaced the code for it, the browser posts them, as without scripts, and leaves the page:
 * after `onLeave`.
 */
export function useSend(onLeave?: () => void) {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async (form: HTMLFormElement): Promise<SubmitResult> => {
    const fields = Object.fromEntries(new FormData(form));
    const rest = shownAt.current + FILL_TIME - performance.now();
    const [loaded] = await Promise.allSettled([
      loadPost(),
      new Promise((resolve) => setTimeout(resolve, rest)),
    ]);
    try {
      if (loaded.status === "rejected") throw loaded.reason;
      return await loaded.value.post(form.action, fields);
    } catch (error) {
      if (error instanceof GoneError) {
        onLeave?.();
        return leaveWith(form);
      }
      console.error(error);
      return { ok: false };
    }
  };
}

/** Never resolves, since the page unloads. Enables the fields first: a browser does not submit disabled ones. */
function leaveWith(form: HTMLFormElement) {
  for (const field of form.elements) (field as HTMLInputElement).disabled = false;
  form.submit();
  return new Promise<never>(() => {});
}
