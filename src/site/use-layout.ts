import { useRouteLoaderData } from "react-router";
import type { loader } from "./layout.tsx";

/** The layout's loader data; undefined if the layout itself failed. */
export const useLayoutData = () => useRouteLoaderData<typeof loader>("site/layout");

/** A window's title with the site's name, as pages have it in their metadata. */
export function useDocumentTitle(title: string) {
  const site = useLayoutData()?.site.name;
  return site ? `${title} | ${site}` : title;
}
