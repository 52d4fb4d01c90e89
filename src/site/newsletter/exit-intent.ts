/** Milliseconds between leaving and opening. */
const OPENS_AFTER = 500;

type Pointer = Pick<MouseEvent, "clientY">;

/**
 * Calls `open` once, `OPENS_AFTER` after the mouse leaves through the top edge; coming back cancels it. While `isCovered`
 * returns true, it waits for the next time. Returns a function that stops watching.
 */
export function watchTopEdge(page: EventTarget, isCovered: () => boolean, open: () => void) {
  let pending: ReturnType<typeof setTimeout> | undefined;
  const watch = new AbortController();
  const stop = () => {
    clearTimeout(pending);
    watch.abort();
  };
  const leave = (event: Event & Partial<Pointer>) => {
    if (event.clientY === undefined || event.clientY > 0) return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      if (isCovered()) return;
      stop();
      open();
    }, OPENS_AFTER);
  };
  page.addEventListener("mouseleave", leave, { signal: watch.signal });
  page.addEventListener("mouseenter", () => clearTimeout(pending), { signal: watch.signal });
  return stop;
}
