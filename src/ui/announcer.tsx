import { useEffect, useState } from "react";

/**
 * Announces a new page's title to screen readers, and another page of a list: a client-side navigation is silent otherwise.
 * A focus that went with the page before, or stays on a link to a next one, moves to the new page's beginning; not from a link
 * to where one is now, such as a filter. `page` is its address.
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
