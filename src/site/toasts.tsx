import { useNotice } from "#site/shell/toast.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { useAfter, LATER_AFTER } from "./deferred-widgets.tsx";

const loadToaster = lazyImport(() => import("./toaster.tsx"));

/** The toasts' container, once in the layout. Its code loads ahead: a toast may say that the connection is lost, or the site updated. */
export function Toasts() {
  const notice = useNotice();
  const isDue = useAfter(LATER_AFTER);
  const toaster = useLazyModule(notice ?? isDue, loadToaster);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}
