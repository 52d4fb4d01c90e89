import { createContext } from "react-router";
import type { Context } from "#worker/platform/context.ts";

/** What loaders hand to use cases: `listPublishedEpisodes(context.get(siteContext))`. */
export const siteContext = createContext<Context>();
