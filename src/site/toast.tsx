import { atom, useAtomValue, useSetAtom } from "jotai";
import { useLoaded } from "#site/ui/use-loaded.ts";

export type Notice = { kind: "success" | "error"; title: string; description?: string };

const noticeAtom = atom<Notice | null>(null);

/** Shows a toast on a public page. It takes the place of the one before. */
export const useToast = () => useSetAtom(noticeAtom);

const loadToaster = () => import("./toaster.tsx");

/** Where toasts appear; stands once, in the layout. The library comes with the first of them. */
export function Toasts() {
  const notice = useAtomValue(noticeAtom);
  const toaster = useLoaded(notice, loadToaster);
  return toaster && notice && <toaster.NoticeToaster notice={notice} />;
}
