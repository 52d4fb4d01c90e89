import { useEffect, useRef } from "react";

/** A row is removed with its focused button, so the list takes the focus. */
export function useFocusWhenFewer<Place extends HTMLElement>(count: number) {
  const list = useRef<Place>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) list.current?.focus();
    before.current = count;
  }, [count]);
  return list;
}
