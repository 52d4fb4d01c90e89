import { redirect } from "react-router";
import { redirects } from "#worker/addresses.ts";
import type { Route } from "./+types/redirect.ts";

/** `/privacy` and `/terms`: old links. */
export const loader = ({ pattern }: Route.LoaderArgs) =>
  redirect(redirects[`/${pattern}` as "/privacy" | "/terms"], 301);
