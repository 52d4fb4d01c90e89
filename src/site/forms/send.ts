import { useEffect, useRef } from "react";
import type { SubmitResult } from "./post.ts";

/** Milliseconds. The server refuses forms that are filled in sooner (worker/platform/forms.ts). */
const FILL_TIME = 2000;

/** Posts the form's fields to its `action`, at the earliest after `FILL_TIME`. A failed connection is `ok: false` too. */
export function useSend() {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async (form: HTMLFormElement): Promise<SubmitResult> => {
    const fields = Object.fromEntries(new FormData(form));
    const rest = shownAt.current + FILL_TIME - performance.now();
    try {
      const [{ post }] = await Promise.all([
        import("./post.ts"),
        new Promise((resolve) => setTimeout(resolve, rest)),
      ]);
      return await post(form.action, fields);
    } catch (error) {
      console.error(error);
      return { ok: false };
    }
  };
}
