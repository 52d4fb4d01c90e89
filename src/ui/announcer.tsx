import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** Announces the new page's title to screen readers: a client-side navigation is silent otherwise. */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    // The title is set in the same commit as the page.
    const frame = requestAnimationFrame(() => setTitle(document.title));
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
