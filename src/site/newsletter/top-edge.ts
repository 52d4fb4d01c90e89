/** Milliseconds between leaving and opening. */
export const OPENS_AFTER = 500;

type Pointer = Pick<MouseEvent, "clientY">;

/**
 * Calls `open` once, a moment after the mouse left through the top edge; coming back in between cancels it. While
 * `isCovered` it goes on watching instead. Returns what ends the watch.
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
