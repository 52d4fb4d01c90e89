import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";

/** Gives the focus to what it was on before the fields were emptied, which are others since. */
export function useFocusKept(form: RefObject<HTMLFormElement | null>) {
  /** Of the control that had it; empty for the button that saves. */
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

/** Stands first among what is replaced: it is gone before the rest is. */
export function Replaced(props: ReturnType<typeof useFocusKept>) {
  const onGone = useEffectEvent(props.onGone);
  const onThere = useEffectEvent(props.onThere);
  useLayoutEffect(() => {
    onThere();
    return () => onGone();
  }, []);
  return null;
}
