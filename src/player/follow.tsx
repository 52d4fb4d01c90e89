import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";

type FollowProps = {
  /** The list; its children are the lines. */
  lines: RefObject<HTMLElement | null>;
  /** Index of the current line; -1 for none. */
  current: number;
  /** Scrolls to the first current line even if it is out of view. */
  startsFollowing?: boolean;
  className?: string;
};

/** Attribute of the element that scrolls the lines, if not the window. */
export const SCROLLER = "data-scroller";

type Side = "above" | "below" | null;

/**
 * Keeps the current line in view if the previous one was. Scrolling away stops that and shows a button that scrolls
 * back.
 */
export function Follow({ lines, current, startsFollowing = false, className }: FollowProps) {
  const isFollowing = useRef(startsFollowing);
  const [side, setSide] = useState<Side>(null);
  useEffect(() => {
    const line = lines.current?.children[current];
    if (!line) return;
    let isFirst = isFollowing.current;
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      if (!entry) return;
      isFollowing.current = entry.isIntersecting || isFirst;
      if (isFirst && !isFullyVisible(entry)) scrollToLine(line);
      isFirst = false;
      setSide(isFollowing.current ? null : sideOf(entry));
    }, boundsOf(line));
    observer.observe(line);
    return () => observer.disconnect();
  }, [lines, current]);
  if (side === null || current < 0) return null;
  const Arrow = side === "above" ? ArrowUp : ArrowDown;
  return (
    <div className={cx("pointer-events-none sticky z-10 flex justify-center", className)}>
      <Button
        size="sm"
        className="pointer-events-auto animate-appear bg-raised! shadow-float"
        onClick={() => {
          const line = lines.current?.children[current];
          if (!line) return;
          scrollToLine(line);
          // The button disappears with the scroll.
          line.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
        }}
      >
        <Arrow aria-hidden size={14} />
        Back to what is playing
      </Button>
    </div>
  );
}

/** Heights in px of the site's header and the player's bar, which cover the window. */
const HEADER = 64;
const BAR = 80;

function boundsOf(line: Element): IntersectionObserverInit {
  const threshold = [0, 0.99];
  const root = line.closest(`[${SCROLLER}]`);
  return root ? { root, threshold } : { rootMargin: `-${HEADER}px 0px -${BAR}px`, threshold };
}

const isFullyVisible = ({ intersectionRatio }: IntersectionObserverEntry) => intersectionRatio >= 0.99;

const sideOf = ({ boundingClientRect, rootBounds }: IntersectionObserverEntry): Side =>
  rootBounds && boundingClientRect.top < rootBounds.top ? "above" : "below";

function scrollToLine(line: Element) {
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  line.scrollIntoView({ block: "center", behavior: isReduced ? "instant" : "smooth" });
}
