import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useCloseOnBack } from "#site/ui/close-on-back.ts";
import { cx } from "#site/ui/cx.ts";
import { shownAsPopover } from "#site/ui/popover.ts";

type MenuProps = {
  /** The button that opened the menu; it gets the focus back. */
  anchor: RefObject<HTMLElement | null>;
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/** A popover menu beside its button, in the browser's top layer. It is open while it is rendered. */
export function Menu({ anchor, label, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    element.showPopover?.();
    const updatePosition = () => anchor.current && position(element, anchor.current);
    updatePosition();
    (itemsIn(element)[0] ?? element).focus({ preventScroll: true });
    // Its items may load after it opens.
    const watch = new ResizeObserver(updatePosition);
    watch.observe(element);
    return () => {
      watch.disconnect();
      element.hidePopover?.();
    };
  }, [anchor]);
  useCloseOutside(menu, anchor, onClose);
  useCloseOnBack(true, onClose);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
      anchor.current?.focus();
    }
    if (menu.current) moveFocus(event, itemsIn(menu.current));
  };
  return (
    <div className="playlists contents">
      <div
        ref={menu}
        {...shownAsPopover()}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={press}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget && relatedTarget !== anchor.current && !menu.current?.contains(relatedTarget))
            onClose();
        }}
        className={
          "absolute m-0 max-h-80 w-64 animate-appear overflow-y-auto rounded-lg border border-rule bg-raised py-1.5 " +
          "text-sm text-ink shadow-float outline-none"
        }
      >
        {children}
      </div>
    </div>
  );
}

type ItemProps = { onSelect: () => void; className?: string; children: ReactNode };

export const MenuItem = ({ onSelect, className, children }: ItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    onClick={onSelect}
    className={cx(
      "flex w-full items-center gap-2.5 px-4 py-2 text-left hover:bg-tint focus:bg-tint",
      className,
    )}
  >
    {children}
  </button>
);

const itemsIn = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];

function moveFocus(event: KeyboardEvent, items: HTMLElement[]) {
  const at = items.findIndex((item) => item === document.activeElement);
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (target === undefined || items.length === 0) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
}

function useCloseOutside(
  menu: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
) {
  useEffect(() => {
    const close = ({ target }: PointerEvent) => {
      const isInside = [menu, anchor].some(
        ({ current }) => target instanceof Node && current?.contains(target),
      );
      if (!isInside) onClose();
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [menu, anchor, onClose]);
}

/** Pixels. */
const GAP = 6;
const EDGE = 8;

/** Positions the menu below its button, or above if there is more room; within the window. It scrolls with the page. */
function position(menu: HTMLElement, anchor: HTMLElement) {
  const from = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isBelow = from.bottom + GAP + height <= clientHeight || from.top < clientHeight - from.bottom;
  const top = isBelow ? from.bottom + GAP : from.top - GAP - height;
  const beside = from.left > clientWidth / 2 ? from.right - width : from.left;
  const left = Math.max(EDGE, Math.min(beside, clientWidth - width - EDGE));
  menu.style.top = `${top + window.scrollY}px`;
  menu.style.left = `${left + window.scrollX}px`;
}
