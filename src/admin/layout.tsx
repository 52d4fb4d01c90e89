import { Outlet, redirect, useRouteLoaderData } from "react-router";
import { api } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { localeOf } from "#site/ui/locale.ts";
import { hasSession } from "#worker/accounts/cookie.ts";
import { readSite } from "#worker/settings/settings.ts";
import { LOGIN, loginPath } from "./door/next.ts";
import { Failure } from "./failure.tsx";
import { Frame } from "./frame.tsx";
import { frameOf } from "./guard.ts";
import { refusedTab } from "./refused-tab.ts";
import "./admin.css";
import type { Route } from "./+types/layout";

/** Here and not in a Hono path guard, which `/admin.data` and `/ADMIN` walk around. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request, url }, next) => {
    if (context.get(siteContext).actor.kind === "user") return next();
    // A cookie that opens nothing any more is a session that ended.
    throw redirect(loginPath(url, hasSession(request)));
  },
];

/** Having a loader, the layout takes part in every navigation, so that the guard is asked each time. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  return { ...frameOf(ctx), locale: localeOf(await readSite(ctx)) };
}

/** Logging out is the only write of the frame itself. */
export async function clientAction() {
  const response = await api.session.$delete();
  if (!response.ok) throw new Error("Logging out did not work. Please try again.");
  return redirect(LOGIN);
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>("admin/layout");
  const frame = data ?? refusedTab(error)?.frame;
  return (
    <Frame {...frame}>
      <Failure error={error} />
    </Frame>
  );
}
