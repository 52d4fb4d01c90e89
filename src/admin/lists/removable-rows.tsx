import { useEffect, useRef, type ReactNode } from "react";

type Props = {
  label: string;
  /** Instead of the list if it has no rows. */
  empty?: string;
  /** One for each row. */
  children: ReactNode[];
};

/** Rows with a button that removes them. A row is removed with its focused button, so the list takes the focus. */
export function RemovableRows({ label, empty, children }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const count = children.length;
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) list.current?.focus();
    before.current = count;
  }, [count]);
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {count > 0 || empty === undefined ? (
        <ul aria-label={label} className="divide-y divide-rule">
          {children}
        </ul>
      ) : (
        <p className="text-muted">{empty}</p>
      )}
    </div>
  );
}
