import { useRouteLoaderData } from "react-router";
import type { loader as adminLoader } from "./admin/shell/layout.tsx";
import type { loader as siteLoader } from "./site/layout.tsx";
import { useLocale } from "./ui/locale.ts";

/** The site's language and time zone, which the layouts load. */
export function useSiteLocale() {
  const site = useRouteLoaderData<typeof siteLoader>("site/layout");
  const admin = useRouteLoaderData<typeof adminLoader>("admin/shell/layout");
  const unknown = useLocale();
  return site?.locale ?? admin?.locale ?? unknown;
}
