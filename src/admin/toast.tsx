import { useEffect, useState } from "react";
import { Toast, type Notice } from "#site/ui/toast.tsx";

const listeners = new Set<(notice: Notice) => void>();

const show = (notice: Notice) => listeners.forEach((listener) => listener(notice));

/** Shows a toast in the admin area, from anywhere. It replaces the previous one. */
export const toast = {
  success: (title: string, description?: string) => show({ kind: "success", title, description }),
  error: (title: string) => show({ kind: "error", title }),
};

/** Where toasts appear; the shell renders it once. */
export function Toaster() {
  const [notice, setNotice] = useState<Notice | null>(null);
  useEffect(() => {
    listeners.add(setNotice);
    return () => void listeners.delete(setNotice);
  }, []);
  return <Toast notice={notice} />;
}
