import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";

type FollowProps = {
  /** Its children are the lines. */
  lines: RefObject<HTMLElement | null>;
  /** The line that is being heard; -1 for none. */
  current: number;
  /** Whether it goes to the first line that it is told of, even where that is out of sight. */
  startsAlong?: boolean;
  className?: string;
};

/** Marks what scrolls the lines, where that is not the window. */
export const SCROLLER = "data-scroller";

type Side = "above" | "below" | null;

/**
 * Keeps the line that is being heard in sight, as long as the one before was: who scrolls away is left in peace, and gets
 * a button that leads back.
 */
export function Follow({ lines, current, startsAlong = false, className }: FollowProps) {
  const isAlong = useRef(startsAlong);
  const [side, setSide] = useState<Side>(null);
  useEffect(() => {
    const line = lines.current?.children[current];
    if (!line) return;
    let isAsked = isAlong.current;
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      if (!entry) return;
      isAlong.current = entry.isIntersecting || isAsked;
      if (isAsked && !isWhole(entry)) bringBack(line);
      isAsked = false;
      setSide(isAlong.current ? null : sideOf(entry));
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
          if (line) bringBack(line);
        }}
      >
        <Arrow aria-hidden size={14} />
        Back to what is playing
      </Button>
    </div>
  );
}

/** Px of the window that the site's header and the player's bar lie over. */
const HEADER = 64;
const BAR = 80;

function boundsOf(line: Element): IntersectionObserverInit {
  const threshold = [0, 0.99];
  const root = line.closest(`[${SCROLLER}]`);
  return root ? { root, threshold } : { rootMargin: `-${HEADER}px 0px -${BAR}px`, threshold };
}

const isWhole = ({ intersectionRatio }: IntersectionObserverEntry) => intersectionRatio >= 0.99;

const sideOf = ({ boundingClientRect, rootBounds }: IntersectionObserverEntry): Side =>
  rootBounds && boundingClientRect.top < rootBounds.top ? "above" : "below";

function bringBack(line: Element) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  line.scrollIntoView({ block: "center", behavior: isCalm ? "instant" : "smooth" });
}
