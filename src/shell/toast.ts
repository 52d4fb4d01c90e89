import { atom, useAtomValue, useSetAtom } from "jotai";
import type { Notice } from "#site/ui/toast.tsx";

const noticeAtom = atom<Notice | null>(null);

/** Shows a toast on a public page. It takes the place of the one before. */
export const useToast = () => useSetAtom(noticeAtom);

export const useNotice = () => useAtomValue(noticeAtom);
