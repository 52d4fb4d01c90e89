import { useEffect, useRef, type ReactNode } from "react";

type Props = {
  /** Changes when a row is added, removed, or gets other buttons. */
  version: string;
  /** Replaces an empty list. */
  empty: ReactNode;
  /** The rows, each a list item. */
  children: ReactNode[];
};

/**
 * After a decision a row loses its buttons or leaves the list: the focus goes to its first link, or the next row's, or
 * after the last row to `<main>`.
 */
export function Rows({ version, empty, children }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef(-1);
  const shown = useRef(version);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest("li");
      focused.current = row ? [...row.parentElement!.children].indexOf(row) : -1;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    if (document.activeElement !== document.body || focused.current < 0) return;
    const rows = list.current?.children ?? [];
    const row = rows[Math.min(focused.current, rows.length - 1)];
    (row?.querySelector<HTMLElement>("a, button") ?? document.querySelector("main"))?.focus();
  }, [version]);
  return children.length > 0 ? <ul ref={list}>{children}</ul> : empty;
}
