import { atom, useAtomValue, useSetAtom } from "jotai";
import type { Notice } from "#site/ui/toast.tsx";

/** `update`: the code of what was asked for is that of a newer version of the site. */
type SiteNotice = Notice | { kind: "update" };

const noticeAtom = atom<SiteNotice | null>(null);

/** Shows a toast on a public page. It takes the place of the one before. */
export const useToast = () => useSetAtom(noticeAtom);

export const useNotice = () => useAtomValue(noticeAtom);
