import { useEffect } from "react";
import { useNavigate } from "react-router";
import { pageAt } from "#worker/addresses.ts";

/**
 * Links within written texts are plain HTML, which lead to another document. Where an episode is selected they are followed
 * within this one, so that the player goes on.
 */
export function useTextLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    // React, which listens at the document too, has handled its own links before.
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

/** The site's own page that a click leads to in this tab, by a link in a text. */
function pageLedTo(event: MouseEvent) {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(".reading a[href]") : null;
  if (!link || link.target || link.origin !== location.origin) return null;
  const { pathname, search, hash } = link;
  const page = pageAt(pathname);
  if (!page || page.isPersonal) return null;
  // A moment, which only a new document would read there.
  if (hash.startsWith("#t=")) return pathname + hash.replace("#", "?");
  // The browser goes there by itself.
  if (hash && pathname === location.pathname && search === location.search) return null;
  return pathname + search + hash;
}
