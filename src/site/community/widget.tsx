import { ChevronDown } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { cx } from "#site/ui/cx.ts";
import { useLayoutData } from "../use-layout.ts";

/** From this width on, the open widget fits into the margin. */
const ROOMY = "(min-width: 109rem)";
const LIST = "community-ways";

/** Floats above the player: open where there is room, else a tab as narrow as the page's margin, so that no text is covered. */
export function CommunityWidget() {
  const [isOpen, setOpen] = useState(() => matchMedia(ROOMY).matches);
  const isPlayerShown = useIsPlayerShown();
  return (
    <aside
      aria-label="Community"
      className={cx(
        "fixed z-20 animate-appear border border-edge bg-raised print:hidden",
        isPlayerShown ? "bottom-20 md:bottom-24" : "bottom-4",
        isOpen ? "right-4 w-60 rounded-lg p-4 shadow-float" : "right-0 rounded-l-lg border-r-0",
      )}
      // Above the question about tags, too.
      style={{ marginBottom: "var(--consent-height)" }}
    >
      {/* One button for both states, so that it keeps the focus. */}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={LIST}
        onClick={() => setOpen(!isOpen)}
        className={
          isOpen
            ? "flex min-h-8 w-full items-center gap-2 text-left text-sm font-semibold"
            : "flex w-6 items-center justify-center px-4 text-sm leading-none font-medium [writing-mode:vertical-rl] hover:bg-tint"
        }
      >
        <span className={cx(isOpen && "grow")}>Join the community</span>
        {isOpen && <ChevronDown aria-hidden size={16} />}
      </button>
      <ul id={LIST} hidden={!isOpen} className="mt-2 text-sm">
        <Ways />
      </ul>
    </aside>
  );
}

function Ways() {
  const data = useLayoutData();
  const youtube = data?.site.social.youtube;
  return (
    <>
      {youtube && (
        <Row>
          <a href={youtube} className={wayClass}>
            Watch on YouTube
          </a>
        </Row>
      )}
      <Row>
        <Link to="/podcast" className={wayClass}>
          Listen to the podcast
        </Link>
      </Row>
      {data?.newsletter && (
        <Row>
          <a href="#newsletter" className={wayClass}>
            Get the newsletter
          </a>
        </Row>
      )}
    </>
  );
}

const wayClass = "flex min-h-9 items-center text-accent underline-offset-4 hover:underline";

const Row = ({ children }: { children: ReactNode }) => <li className="border-t border-rule">{children}</li>;
