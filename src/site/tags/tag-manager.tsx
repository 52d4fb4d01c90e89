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
 * Google Tag Manager, once the visitor agrees, or unless they refuse where the owner does not ask. Pages are cached and the
 * same for everybody, so the browser decides.
 */
export function TagManager() {
  // It is loaded only where there is one.
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
            // What is loaded cannot be taken out of a document, so refusing begins a new one.
            if (to === "refused" && window.dataLayer) location.reload();
          }}
        />
      )}
    </>
  );
}

const HOST = "https://www.googletagmanager.com";

/** Once a document. */
function load(id: string) {
  if (window.dataLayer) return;
  window.dataLayer = [{ "gtm.start": Date.now(), event: "gtm.js" }];
  const src = `${HOST}/gtm.js?id=${encodeURIComponent(id)}`;
  document.head.appendChild(Object.assign(document.createElement("script"), { async: true, src }));
}
