import { atom, useAtomValue, useSetAtom } from "jotai";
import type { Notice } from "#site/ui/toast.tsx";

/** `update`: the requested code exists only in a newer version of the site. */
type SiteNotice = Notice | { kind: "update" };

const noticeAtom = atom<SiteNotice | null>(null);

/** Shows a toast on a public page. It replaces the previous one. */
export const useToast = () => useSetAtom(noticeAtom);

export const useNotice = () => useAtomValue(noticeAtom);
