import { useNotice } from "#site/shell/toast.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";

const loadToaster = () => import("./toaster.tsx");

/** Where toasts appear; stands once, in the layout. Its code comes with the first of them. */
export function Toasts() {
  const notice = useNotice();
  const toaster = useLoaded(notice, loadToaster);
  return toaster && notice && <toaster.Toaster notice={notice} />;
}
