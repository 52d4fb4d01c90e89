import { redirect } from "react-router";
import { siteContext } from "#site/context.ts";
import { shellDataOf } from "./guard.ts";
import type { Route } from "./+types/home";

/** Opens Articles, or the first tab that the role may use, or the account. */
export function loader({ context }: Route.LoaderArgs) {
  const { openTabs } = shellDataOf(context.get(siteContext));
  const tab = openTabs.includes("articles") ? "articles" : openTabs[0];
  return redirect(`/admin/${tab ?? "account"}`);
}
