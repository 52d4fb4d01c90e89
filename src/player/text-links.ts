import { useEffect } from "react";
import { useNavigate } from "react-router";
import { pageAt } from "#worker/addresses.ts";

/**
 * Links in rendered texts are plain HTML and would load a new document. While an episode is selected, follows them by
 * client-side navigation, so that playback continues.
 */
export function useTextLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    // React's own listener on the document has already handled its links.
    const follow = (event: MouseEvent) => {
      const to = pageLedTo(event);
      if (!to) return;
      event.preventDefault();
      void navigate(to);
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

/** The path of the site's own page to which a click on a text link leads in this tab. */
function pageLedTo(event: MouseEvent) {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(".reading a[href]") : null;
  if (!link || link.target || link.origin !== location.origin) return null;
  const { pathname, search, hash } = link;
  const page = pageAt(pathname);
  if (!page || page.isPersonal) return null;
  // A media fragment, which only a new document would read: use a query.
  if (hash.startsWith("#t=")) return pathname + hash.replace("#", "?");
  // The browser scrolls to an anchor itself.
  if (hash && pathname === location.pathname && search === location.search) return null;
  return pathname + search + hash;
}
