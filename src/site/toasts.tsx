import { useEffect } from "react";
import { useNotice } from "#site/shell/toast.ts";
import { GoneError, lazyImport } from "#site/ui/lazy-import.ts";
import { offerNewVersion } from "#site/ui/new-version.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { useAfter, LATER_AFTER } from "./deferred-widgets.tsx";

const loadToaster = lazyImport(() => import("./toaster.tsx"));

/** The toasts' container, once in the layout. Its code loads ahead: a toast may say that the connection is lost. */
export function Toasts() {
  const notice = useNotice();
  const isDue = useAfter(LATER_AFTER);
  useEffect(() => {
    if (isDue) loadToaster().catch(console.error);
  }, [isDue]);
  const toaster = useLazyModule(notice, loadToaster, giveUp);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}

const giveUp = (error: unknown) => {
  if (error instanceof GoneError) offerNewVersion();
  else console.error(error);
};
