import { atom, useAtomValue, useSetAtom } from "jotai";
import { useCallback } from "react";
import type { Notice } from "#site/ui/toast.tsx";

const noticeAtom = atom<Notice | null>(null);

/** Shows a toast on a public page. It takes the place of the one before. */
export const useToast = () => useSetAtom(noticeAtom);

/** Says that what was asked for could not be fetched. */
export function useSayOffline() {
  const say = useToast();
  return useCallback(() => say({ kind: "error", title: "Check your connection and try again." }), [say]);
}

export const useNotice = () => useAtomValue(noticeAtom);
