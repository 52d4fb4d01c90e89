import { useNotice } from "#site/shell/toast.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";

const loadToaster = () => import("./toaster.tsx");

/** The toasts' container, once in the layout. Its code loads with the first toast. */
export function Toasts() {
  const notice = useNotice();
  const toaster = useLoaded(notice, loadToaster);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}
