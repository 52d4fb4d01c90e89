import { useEffect, useState } from "react";

/**
 * Announces a new page's title, or the next page of a list, to screen readers: a client-side navigation is silent
 * otherwise. If the focus was lost with the previous page, or is on a link to the next one, it moves to the beginning;
 * not if it is on a link to the current page, such as a filter. `page` is the address.
 */
export function PageAnnouncer({ page }: { page: string }) {
  const [[title, of], say] = useState(["", page]);
  useEffect(() => {
    if (of === page) return;
    // The title is set in the same commit as the page.
    setTimeout(() => {
      say([document.title, page]);
      if (!location.hash && document.activeElement!.matches(LEFT_BEHIND))
        document.querySelector("main")!.focus({ preventScroll: true });
    });
  }, [of, page]);
  return (
    <p aria-live="polite" className="sr-only">
      {/* Keyed, so that the same title is announced again. */}
      <span key={of}>{title}</span>
    </p>
  );
}

const LEFT_BEHIND = "body, a:not([aria-current])";
