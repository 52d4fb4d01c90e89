import { atom, useAtomValue, useSetAtom } from "jotai";
import type { Notice } from "#site/ui/toast.tsx";
import { useLoaded } from "#site/ui/use-loaded.ts";

const noticeAtom = atom<Notice | null>(null);

/** Shows a toast on a public page. It takes the place of the one before. */
export const useToast = () => useSetAtom(noticeAtom);

const loadToaster = () => import("./toaster.tsx");

/** Where toasts appear; stands once, in the layout. Its code comes with the first of them. */
export function Toasts() {
  const notice = useAtomValue(noticeAtom);
  const toaster = useLoaded(notice, loadToaster);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}
