import { useEffect, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { useConsent } from "./consent.ts";

/** Asks once. It lies over the page, moves nothing and takes no focus. */
export function ConsentBar() {
  const [, answer] = useConsent();
  const isPlayerShown = useIsPlayerShown();
  return (
    <section
      aria-label="Tags of other companies"
      className={cx(
        "fixed inset-x-0 z-30 animate-appear border-t border-ink bg-raised shadow-float print:hidden",
        isPlayerShown ? "bottom-20 md:bottom-24" : "bottom-0",
      )}
    >
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
        <p className="max-w-[38rem] grow basis-80 text-sm">
          May Google Tag Manager be loaded? It can set cookies and tell other companies what you read here.
          Everything works without it, too.{" "}
          <Link to="/privacy-policy" className="link">
            Privacy policy
          </Link>
        </p>
        <Announcement />
        <ButtonRow>
          <Button onClick={() => answer("refused")}>Refuse</Button>
          <Button onClick={() => answer("granted")}>Agree</Button>
        </ButtonRow>
      </div>
    </section>
  );
}

/** Milliseconds: screen readers read what comes into an element that is there already. */
const ANNOUNCE_AFTER = 500;

function Announcement() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ANNOUNCE_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {isDue && "A question about tags of other companies is at the end of the page."}
    </p>
  );
}
