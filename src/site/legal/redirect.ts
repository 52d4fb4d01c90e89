import { redirect } from "react-router";
import type { Route } from "./+types/redirect.ts";

/** `/privacy` and `/terms`, as old links have them. */
export const loader = ({ url }: Route.LoaderArgs) =>
  redirect(url.pathname.startsWith("/privacy") ? "/privacy-policy" : "/terms-of-service", 301);
