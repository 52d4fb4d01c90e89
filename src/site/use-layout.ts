import { useRouteLoaderData } from "react-router";
import type { loader } from "./layout.tsx";

/** The layout's loader data; undefined where the layout itself failed. */
export const useLayoutData = () => useRouteLoaderData<typeof loader>("site/layout");
