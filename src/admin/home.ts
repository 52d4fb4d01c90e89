import { redirect } from "react-router";
import { siteContext } from "#site/context.ts";
import { frameOf } from "./guard.ts";
import type { Route } from "./+types/home";

/** Articles is the tab that the admin area opens with; then the first that the role opens, then one's own account. */
export function loader({ context }: Route.LoaderArgs) {
  const { openTabs } = frameOf(context.get(siteContext));
  const tab = openTabs.includes("articles") ? "articles" : openTabs[0];
  return redirect(`/admin/${tab ?? "account"}`);
}
