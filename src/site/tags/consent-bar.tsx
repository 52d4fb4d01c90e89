import { useEffect, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { useConsent } from "./consent.ts";

/** Asks once. It lies over the page, moves nothing, takes no focus, and is read out by screen readers. */
export function ConsentBar() {
  const [, answer] = useConsent();
  const isPlayerShown = useIsPlayerShown();
  const isSaid = useIsSaid();
  return (
    <section
      aria-label="Tags of other companies"
      className={cx(
        "fixed inset-x-0 z-30 animate-appear border-t border-ink bg-raised shadow-float print:hidden",
        isPlayerShown ? "bottom-20 md:bottom-24" : "bottom-0",
      )}
    >
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
        <p aria-live="polite" className="max-w-[38rem] grow basis-80 text-sm">
          {isSaid && (
            <>
              May Google Tag Manager be loaded? It can set cookies and tell other companies what you read
              here. Everything works without it, too.{" "}
              <Link to="/privacy-policy" className="link">
                Privacy policy
              </Link>
            </>
          )}
        </p>
        <ButtonRow>
          <Button onClick={() => answer("refused")}>Refuse</Button>
          <Button onClick={() => answer("granted")}>Agree</Button>
        </ButtonRow>
      </div>
    </section>
  );
}

/** Screen readers read what comes into an element that is there already. */
function useIsSaid() {
  const [isSaid, setSaid] = useState(false);
  useEffect(() => setSaid(true), []);
  return isSaid;
}
