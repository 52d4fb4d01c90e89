import { useEffect, useRef } from "react";
import type { Sent } from "./post.ts";

/** Milliseconds. The server refuses what was filled in sooner (worker/platform/forms.ts), so a quick person waits here. */
const FILL_TIME = 2000;

/** Posts the form's fields to its `action`, no sooner than a person could have filled it in. A failed connection is a refusal too. */
export function useSend() {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async (form: HTMLFormElement): Promise<Sent> => {
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
      return { taken: false };
    }
  };
}
