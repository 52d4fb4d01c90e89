import { ChevronDown, Users, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { cx } from "#site/ui/cx.ts";
import { EndRoom } from "#site/ui/end-room.tsx";
import { useLayoutData } from "../use-layout.ts";

/** From this width on, the open widget fits into the margin. */
const ROOMY = "(min-width: 109rem)";
const LIST = "community-ways";
/** Key in sessionStorage of the visitor's choice. */
const KEY = "community";

type Chosen = "collapsed" | "closed";

function firstState(): Chosen | "open" {
  let chosen;
  try {
    chosen = sessionStorage.getItem(KEY);
  } catch {
    // Storage is forbidden.
  }
  if (chosen === "collapsed" || chosen === "closed") return chosen;
  return matchMedia(ROOMY).matches ? "open" : "collapsed";
}

function save(chosen: Chosen) {
  try {
    sessionStorage.setItem(KEY, chosen);
  } catch {
    // Storage is forbidden: the choice lasts as long as the document.
  }
}

/**
 * Floats in the corner, above the player. On a phone it is a round button that hides while the visitor scrolls down.
 */
export function CommunityWidget() {
  const [state, setState] = useState(firstState);
  const isPlayerShown = useIsPlayerShown();
  const isOpen = state === "open";
  const isInTheWay = useIsInTheWay();
  if (state === "closed") return null;
  const choose = (chosen: Chosen) => {
    save(chosen);
    setState(chosen);
  };
  const close = () => {
    choose("closed");
    // The button that had the focus is gone.
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  return (
    <>
      {!isOpen && <EndRoom height="calc(4.5rem + var(--consent-height, 0px))" />}
      <aside
        aria-label="Community"
        className={cx(
          "fixed right-4 z-20 animate-appear border border-edge bg-raised shadow-float print:hidden",
          isPlayerShown ? "bottom-20 md:bottom-24" : "bottom-4",
          isOpen ? "w-60 rounded-lg p-4" : "rounded-full sm:rounded-lg",
          !isOpen && isInTheWay && "max-sm:not-focus-within:invisible",
        )}
        // Above the question about tags, too.
        style={{ marginBottom: "var(--consent-height)" }}
      >
        <div className="flex items-center">
          {/* One button for both states, so that it keeps the focus. */}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={LIST}
            onClick={() => (isOpen ? choose("collapsed") : setState("open"))}
            className={
              isOpen
                ? "flex min-h-8 grow items-center gap-2 text-left text-sm font-semibold"
                : "flex size-11 items-center justify-center gap-2 rounded-full text-sm font-medium hover:bg-tint sm:w-auto sm:rounded-lg sm:px-4"
            }
          >
            {!isOpen && <Users aria-hidden size={18} />}
            <span className={cx(!isOpen && "max-sm:sr-only")}>Join the community</span>
            {isOpen && <ChevronDown aria-hidden size={16} />}
          </button>
          {isOpen && (
            <button
              type="button"
              aria-label="Close"
              onClick={close}
              className="-mr-2 grid size-8 place-items-center text-muted hover:text-ink"
            >
              <X aria-hidden size={16} />
            </button>
          )}
        </div>
        <ul id={LIST} hidden={!isOpen} className="mt-2 text-sm">
          <Ways />
        </ul>
      </aside>
    </>
  );
}

/** Milliseconds without scrolling after which the button is back. */
const REST = 400;

/** Whether the phone's button would cover the text: in the first screen of a page, and while scrolling down. */
function useIsInTheWay() {
  const [isInTheWay, setInTheWay] = useState(() => scrollY < innerHeight);
  useEffect(() => {
    let before = scrollY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => setInTheWay(scrollY < innerHeight);
    const follow = () => {
      clearTimeout(timer);
      if (scrollY > before) setInTheWay(true);
      else settle();
      before = scrollY;
      timer = setTimeout(settle, REST);
    };
    addEventListener("scroll", follow, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("scroll", follow);
    };
  }, []);
  return isInTheWay;
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
