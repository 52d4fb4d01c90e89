import { Outlet, redirect, useRouteLoaderData } from "react-router";
import { api } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { localeOf } from "#site/ui/locale.ts";
import { hasSession } from "#worker/accounts/cookie.ts";
import { readSite } from "#worker/settings/queries.ts";
import { LOGIN, loginPath } from "../auth/paths.ts";
import { ErrorPage } from "./error-page.tsx";
import { LeaveGuard } from "../form/leave-guard.tsx";
import { allowRobotCheck } from "./robot-policy.server.ts";
import { Shell } from "./shell.tsx";
import { shellDataOf } from "./guard.ts";
import { forbiddenTab } from "./forbidden-tab.ts";
import "./older-browsers.ts";
import "../admin.css";
import type { Route } from "./+types/layout";

/** Not a Hono path guard, which `/admin.data` and `/ADMIN` would bypass. */
export const middleware: Route.MiddlewareFunction[] = [
  allowRobotCheck,
  ({ context, request, url }, next) => {
    if (context.get(siteContext).actor.kind === "user") return next();
    // A session cookie without a session: it has ended.
    throw redirect(loginPath(url, hasSession(request)));
  },
];

/** Makes the guard run on every navigation: a layout without a loader is not requested again. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const site = await readSite(ctx);
  return { ...shellDataOf(ctx), siteName: site.name, locale: localeOf(site) };
}

/** Logs out. */
export async function clientAction() {
  const response = await api.session.$delete();
  if (!response.ok) throw new Error("Logging out didn’t work. Please try again.");
  return redirect(LOGIN);
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <LeaveGuard>
      <Shell {...loaderData}>
        <Outlet />
      </Shell>
    </LeaveGuard>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>("admin/shell/layout");
  const shell = data ?? forbiddenTab(error)?.shell;
  return (
    <Shell {...shell}>
      <ErrorPage error={error} />
    </Shell>
  );
}
