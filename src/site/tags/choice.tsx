import { Button } from "#site/ui/button.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useLayoutData } from "../use-layout.ts";
import { asksNotToBeTracked, isGranted, useConsent } from "./consent.ts";

/** On the privacy policy of a site that has a tag manager: what it does, and the visitor's answer, which can be changed. */
export function TagChoice() {
  const tagManager = useLayoutData()?.tagManager;
  if (!tagManager) return null;
  return (
    <section aria-labelledby="tags" className="mt-12 border-t border-ink pt-6">
      <h2 id="tags" className="headline mb-4 text-xl">
        Other companies’ tags
      </h2>
      <p className="font-reading text-lg">
        <span>
          {`This site can load Google Tag Manager${tagManager.needsConsent ? ", if you agree to it" : ""}.`}
        </span>{" "}
        It can load other companies’ tags, which may set cookies and track what you read, hear and do here;
        their privacy policies apply. Your answer is stored in this browser as{" "}
        <code translate="no">tagConsent</code>. If your browser asks not to be tracked, nothing is loaded.
      </p>
      <Answer needsConsent={tagManager.needsConsent} />
    </section>
  );
}

function Answer({ needsConsent }: { needsConsent: boolean }) {
  const isHydrated = useHydrated();
  const [consent, answer] = useConsent();
  if (!isHydrated) return null;
  if (asksNotToBeTracked())
    return (
      <p className="mt-4 text-sm text-muted">Your browser asks not to be tracked, so no tags are loaded.</p>
    );
  const isLoaded = isGranted(consent, needsConsent);
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3 text-sm">
      <p role="status">{isLoaded ? "Tags are loaded." : "Tags aren’t loaded."}</p>
      <Button size="sm" onClick={() => change(isLoaded ? "refused" : "granted", answer)}>
        {isLoaded ? "Refuse" : "Agree"}
      </Button>
    </div>
  );
}

/** Loaded tags cannot be removed from a document, so refusing reloads it. */
function change(to: "granted" | "refused", answer: (to: "granted" | "refused") => void) {
  answer(to);
  if (to === "refused") location.reload();
}
