import { mayShowPopup } from "./may-show-popup.ts";
import { browserStorage, readNewsletterState } from "./newsletter-storage.ts";

/** The popup, or null if it may not be shown. */
export async function loadPopup() {
  const storage = browserStorage();
  if (!storage || !mayShowPopup(readNewsletterState(storage), new Date())) return null;
  return import("./popup.tsx");
}
