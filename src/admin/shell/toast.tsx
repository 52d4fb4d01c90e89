import { useEffect, useEffectEvent, useState } from "react";
import { useLocale, type Locale } from "#site/ui/locale.ts";
import { Toast, type Notice } from "#site/ui/toast.tsx";

/** Words with a date need to know how the site writes dates. */
export type ToastWords = string | ((locale: Locale) => string);

type Shown = Omit<Notice, "title"> & { title: ToastWords };

const listeners = new Set<(notice: Shown) => void>();

const show = (notice: Shown) => listeners.forEach((listener) => listener(notice));

/** Shows a toast in the admin area, from anywhere. It replaces the previous one. */
export const toast = {
  success: (title: ToastWords, description?: string) => show({ kind: "success", title, description }),
  error: (title: string) => show({ kind: "error", title }),
};

/** Where toasts appear; the shell renders it once. */
export function Toaster() {
  const [notice, setNotice] = useState<Notice | null>(null);
  const locale = useLocale();
  const receive = useEffectEvent(({ title, ...rest }: Shown) =>
    setNotice({ ...rest, title: typeof title === "string" ? title : title(locale) }),
  );
  useEffect(() => {
    const listener = (shown: Shown) => receive(shown);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return <Toast notice={notice} above="var(--save-bar-height, 0px)" />;
}
