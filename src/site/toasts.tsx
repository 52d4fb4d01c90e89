import { useEffect } from "react";
import { useNotice, useToast } from "#site/shell/toast.ts";
import { GoneError, lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { useAfter, LATER_AFTER } from "./deferred-widgets.tsx";
import { MISSING } from "./lazy-part.ts";

const loadToaster = lazyImport(() => import("./toaster.tsx"));

/**
 * The toasts' container, once in the layout. Its code is preloaded: a toast may report a lost connection or an update
 * of the site.
 */
export function Toasts() {
  const notice = useNotice();
  const say = useToast();
  const isDue = useAfter(LATER_AFTER);
  const toaster = useLazyModule(notice ?? isDue, loadToaster, notice ? giveUp : console.error);
  useEffect(() => {
    const tell = () => say({ kind: "update" });
    addEventListener(MISSING, tell);
    return () => removeEventListener(MISSING, tell);
  }, [say]);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}

/** If a newer version of the site has replaced the code of toasts before it loaded, use the browser's own dialog. */
const giveUp = (error: unknown) => {
  if (error instanceof GoneError && confirm("This site was just updated. Reload?")) location.reload();
};
