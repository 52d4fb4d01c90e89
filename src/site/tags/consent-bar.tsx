import { useEffect, useRef, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { EndRoom } from "#site/ui/end-room.tsx";
import type { Consent } from "./consent.ts";

type Props = {
  /** The visitor reopened it: it takes the focus, and shows the current choice. */
  isReopened: boolean;
  consent: Consent;
  onAnswer: (to: NonNullable<Consent>) => void;
};

/**
 * The consent question. It overlays the page without a layout shift, and takes the focus only if the visitor reopened
 * it.
 */
export function ConsentBar({ isReopened, consent, onAnswer }: Props) {
  const isPlayerShown = useIsPlayerShown();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isReopened) section.current?.focus();
  }, [isReopened]);
  useEffect(() => tellHeight(section.current!), []);
  return (
    <>
      <EndRoom height={`var(${HEIGHT})`} />
      <section
        ref={section}
        tabIndex={-1}
        aria-label="Other companies’ tags"
        className={cx(
          "fixed inset-x-0 z-30 max-h-[40dvh] animate-appear overflow-y-auto border-t border-ink bg-raised shadow-float",
          "print:hidden",
          isPlayerShown ? "bottom-20 md:bottom-24" : "bottom-0",
        )}
      >
        <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
          <p className="max-w-[38rem] grow basis-80 text-sm">
            {isReopened && (
              <span>{consent === "granted" ? "Tags are loaded. " : "Tags aren’t loaded. "}</span>
            )}
            <span>
              May we load Google Tag Manager? It can set cookies and tell other companies what you read, hear
              and do here. Everything works without it too.{" "}
              <Link to="/privacy-policy" className="link">
                Privacy policy
              </Link>
            </span>
          </p>
          {!isReopened && <Announcement />}
          <ButtonRow>
            <Button onClick={() => onAnswer("refused")}>Refuse</Button>
            <Button onClick={() => onAnswer("granted")}>Agree</Button>
          </ButtonRow>
        </div>
      </section>
    </>
  );
}

/** The height of the question, for the scroll padding that keeps focused elements visible (app.css). */
const HEIGHT = "--consent-height";

/** Measured, since the text wraps. */
function tellHeight(section: HTMLElement) {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(HEIGHT, `${section.offsetHeight}px`));
  observer.observe(section);
  return () => {
    observer.disconnect();
    style.removeProperty(HEIGHT);
  };
}

/** Milliseconds: screen readers announce content added to an existing live region. */
const ANNOUNCE_AFTER = 500;

function Announcement() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ANNOUNCE_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {isDue && "A question about other companies’ tags is at the end of the page."}
    </p>
  );
}
