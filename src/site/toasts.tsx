import { useNotice } from "#site/shell/toast.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";

const loadToaster = () => import("./toaster.tsx");

/** The toasts' container, once in the layout. Its code loads with the first toast. */
export function Toasts() {
  const notice = useNotice();
  const toaster = useLazyModule(notice, loadToaster);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}
