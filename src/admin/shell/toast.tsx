import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { useLocale, type Locale } from "#site/ui/locale.ts";
import { Toast, type Notice } from "#site/ui/toast.tsx";

/** Words with a date need to know how the site writes dates. */
export type ToastWords = string | ((locale: Locale) => string);

/** Takes back what a toast reports, and returns the words for that. */
export type Undo = () => Promise<string>;

type Shown = Pick<Notice, "kind" | "description"> & { title: ToastWords; undo?: Undo };

/** Milliseconds of a toast with a button. */
const UNDO_LASTS = 10_000;

const listeners = new Set<(notice: Shown) => void>();

const show = (notice: Shown) => listeners.forEach((listener) => listener(notice));

/** Shows a toast in the admin area, from anywhere. It replaces the previous one. */
export const toast = {
  success: (title: ToastWords, details: Pick<Shown, "description" | "undo"> = {}) =>
    show({ kind: "success", title, ...details }),
  error: (title: string) => show({ kind: "error", title }),
};

/** Where toasts appear; the shell renders it once. */
export function Toaster() {
  const [notice, setNotice] = useState<Notice | null>(null);
  const { revalidate } = useRevalidator();
  const locale = useLocale();
  const takeBack = async (undo: Undo) => {
    // The pressed button disappears.
    document.getElementById("content")?.focus({ preventScroll: true });
    setNotice({ kind: "success", title: "Restoring…" });
    try {
      const title = await undo();
      await revalidate();
      setNotice({ kind: "success", title });
    } catch (error) {
      setNotice({ kind: "error", title: error instanceof ApiError ? error.message : NOT_RESTORED });
    }
  };
  const receive = useEffectEvent(({ title, undo, ...rest }: Shown) =>
    setNotice({
      ...rest,
      title: typeof title === "string" ? title : title(locale),
      ...(undo && { action: <UndoButton onPress={() => void takeBack(undo)} />, lasts: UNDO_LASTS }),
    }),
  );
  useEffect(() => {
    const listener = (shown: Shown) => receive(shown);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return <Toast notice={notice} above="var(--save-bar-height, 0px)" />;
}

const NOT_RESTORED = "The connection was lost, so it may not be restored. Look in the bin.";

const UndoButton = ({ onPress }: { onPress: () => void }) => (
  <Button size="sm" className="-my-1.5 ml-auto shrink-0" onClick={onPress}>
    Undo
  </Button>
);
