import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { TAG_CHOICE } from "#site/shell/footer.tsx";
import { useLayoutData } from "../use-layout.ts";
import { ConsentBar } from "./consent-bar.tsx";
import { asksNotToBeTracked, isGranted, useConsent } from "./consent.ts";

declare global {
  interface Window {
    dataLayer?: object[];
  }
}

/**
 * Google Tag Manager: loaded after the visitor agrees, or, if the owner does not ask, unless they refuse. Pages are
 * cached for all visitors, so the browser decides.
 */
export function TagManager() {
  // Rendered only if the site has a tag manager.
  const { id, needsConsent } = useLayoutData()!.tagManager!;
  const [consent] = useConsent();
  const mayLoad = isGranted(consent, needsConsent) && !asksNotToBeTracked();
  useEffect(() => {
    if (mayLoad) load(id);
  }, [id, mayLoad]);
  return needsConsent && !asksNotToBeTracked() && <Question />;
}

/** Asked once, and again by a button among the footer's links. */
function Question() {
  const [consent, answer] = useConsent();
  const [isReopened, setReopened] = useState(false);
  const [footer] = useState(() => document.getElementById(TAG_CHOICE));
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      {footer &&
        createPortal(
          <button
            ref={button}
            type="button"
            onClick={() => setReopened(true)}
            className="py-1 underline-offset-4 hover:text-ink hover:underline"
          >
            Tag choice
          </button>,
          footer,
        )}
      {(consent === null || isReopened) && (
        <ConsentBar
          key={String(isReopened)}
          isReopened={isReopened}
          consent={consent}
          onAnswer={(to) => {
            answer(to);
            setReopened(false);
            if (isReopened) button.current?.focus();
            else document.querySelector("main")?.focus({ preventScroll: true });
            // Loaded tags cannot be removed from a document, so refusing reloads it.
            if (to === "refused" && window.dataLayer) location.reload();
          }}
        />
      )}
    </>
  );
}

const HOST = "https://www.googletagmanager.com";

/** Loads once per document. */
function load(id: string) {
  if (window.dataLayer) return;
  window.dataLayer = [{ "gtm.start": Date.now(), event: "gtm.js" }];
  const src = `${HOST}/gtm.js?id=${encodeURIComponent(id)}`;
  document.head.appendChild(Object.assign(document.createElement("script"), { async: true, src }));
}
