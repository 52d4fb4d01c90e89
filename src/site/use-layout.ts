import { useRouteLoaderData } from "react-router";
import type { loader } from "./layout.tsx";

/** What the layout loaded, for parts that stand on many pages; nothing where the layout itself failed. */
export const useLayoutData = () => useRouteLoaderData<typeof loader>("site/layout");
