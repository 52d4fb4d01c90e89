/**
 * Loads the iframe of a campaign (`site/petitions/campaign-view.tsx`) once the page is loaded and the browser is idle, without
 * React: replaces this script with the content of the next element, a `<noscript>`.
 */
import type { LOADED } from "../deferred-hydration.ts";

const loaded: typeof LOADED = "data-loaded";

const script = document.currentScript!;
const place = script.parentElement!;
script.remove();

const show = () => {
  // React may have been first.
  if (place.firstChild) return;
  place.innerHTML = place.nextElementSibling!.textContent;
  place.firstElementChild!.addEventListener("load", () => place.setAttribute(loaded, ""));
};

// Some browsers lack requestIdleCallback.
addEventListener("load", () =>
  "requestIdleCallback" in window ? requestIdleCallback(show) : setTimeout(show),
);
