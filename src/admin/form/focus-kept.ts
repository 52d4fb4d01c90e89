import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";

/** Restores the focus to the same control after the fields were emptied and replaced. */
export function useFocusKept(form: RefObject<HTMLFormElement | null>) {
  /** The name of the focused control; empty for the save button. */
  const name = useRef<string>(null);
  return {
    onGone() {
      const focused = form.current?.querySelector(":focus");
      if (focused) name.current = focused.getAttribute("name") ?? "";
    },
    onThere() {
      const wanted = name.current ? `[name="${CSS.escape(name.current)}"]` : "[type=submit]";
      if (name.current !== null) form.current?.querySelector<HTMLElement>(wanted)?.focus();
      name.current = null;
    },
  };
}

/** The first of the replaced elements, so that it unmounts before the others. */
export function Replaced(props: ReturnType<typeof useFocusKept>) {
  const onGone = useEffectEvent(props.onGone);
  const onThere = useEffectEvent(props.onThere);
  useLayoutEffect(() => {
    onThere();
    return () => onGone();
  }, []);
  return null;
}
