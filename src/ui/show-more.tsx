import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { Button } from "./button.tsx";

type Props = {
  list: RefObject<HTMLElement | null>;
  /** How many of its items are shown. */
  shown: number;
  onShow: () => void;
};

/** Shows the next items of a list, and focuses the first of them: the button may disappear. */
export function ShowMore({ list, shown, onShow }: Props) {
  const show = () => {
    flushSync(onShow);
    const next = list.current?.children[shown];
    if (!(next instanceof HTMLElement)) return;
    next.setAttribute("tabindex", "-1");
    next.focus();
  };
  return (
    <Button className="justify-self-start" onClick={show}>
      Show more
    </Button>
  );
}
