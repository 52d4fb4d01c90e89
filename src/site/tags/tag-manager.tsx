import { useEffect } from "react";
import { useLayoutData } from "../use-layout.ts";
import { ConsentBar } from "./consent-bar.tsx";
import { asksNotToBeTracked, useConsent } from "./consent.ts";

declare global {
  interface Window {
    dataLayer?: object[];
  }
}

/**
 * Google Tag Manager, once the visitor agrees, or unless they refuse where the owner does not ask. Pages are cached and the
 * same for everybody, so the browser decides.
 */
export function TagManager() {
  // It is loaded only where there is one.
  const { id, needsConsent } = useLayoutData()!.tagManager!;
  const [consent] = useConsent();
  const isWanted = consent === "granted" || (consent === null && !needsConsent);
  const mayLoad = isWanted && !asksNotToBeTracked();
  useEffect(() => {
    if (mayLoad) load(id);
  }, [id, mayLoad]);
  return consent === null && needsConsent && !asksNotToBeTracked() && <ConsentBar />;
}

const HOST = "https://www.googletagmanager.com";

/** Once a document. */
function load(id: string) {
  if (window.dataLayer) return;
  window.dataLayer = [{ "gtm.start": Date.now(), event: "gtm.js" }];
  const src = `${HOST}/gtm.js?id=${encodeURIComponent(id)}`;
  document.head.appendChild(Object.assign(document.createElement("script"), { async: true, src }));
}
