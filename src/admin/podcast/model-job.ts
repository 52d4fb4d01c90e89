import { useEffect, useEffectEvent, useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { ApiError } from "#site/api.ts";

/** Milliseconds between two looks at a running job. */
const WAIT_MS = 3000;

const LOST = "The connection was lost. Check it, then try again.";

export const wordsOf = (failure: unknown) => (failure instanceof ApiError ? failure.message : LOST);

/** What an episode's form shows of a model's work: read at the beginning, again while it runs, and after each press. */
export function useModelJob<Panel>(read: () => Promise<Panel>, isRunning: (panel: Panel) => boolean) {
  const [panel, setPanel] = useState<Panel>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const [looks, setLooks] = useState(0);
  const runs = panel !== undefined && isRunning(panel);
  const look = useEffectEvent(async (isOver: () => boolean) => {
    try {
      const found = await read();
      if (isOver()) return;
      setPanel(found);
      setError(undefined);
    } catch (failure) {
      if (!isOver()) setError(wordsOf(failure));
    }
  });

  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(
      () => void look(() => isOver).then(() => isOver || !runs || setLooks(looks + 1)),
      looks === 0 ? 0 : WAIT_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [looks, runs]);

  return {
    panel,
    error,
    busy,
    look: () => setLooks(looks + 1),
    /** `what` names the button that is pressed. Returns whether it worked. */
    async act(what: string, call: () => Promise<unknown>) {
      setBusy(what);
      setError(undefined);
      try {
        await call();
        setPanel(await read());
        return true;
      } catch (failure) {
        setError(wordsOf(failure));
        return false;
      } finally {
        setBusy(undefined);
      }
    },
  };
}

/** The controls of a panel within a form are none of its fields: they neither count as changes nor send it. */
export const ownControls = {
  onChange: (event: SyntheticEvent) => event.stopPropagation(),
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  },
};

export const dollars = (cost: number) =>
  cost > 0 && cost < 0.01 ? "less than $0.01" : `$${cost.toFixed(2)}`;
