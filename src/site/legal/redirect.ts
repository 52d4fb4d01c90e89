import { redirect } from "react-router";
import type { Route } from "./+types/redirect.ts";

/** `/privacy` and `/terms`, as old links have them. */
export const loader = ({ pattern }: Route.LoaderArgs) =>
  redirect(pattern.endsWith("privacy") ? "/privacy-policy" : "/terms-of-service", 301);
