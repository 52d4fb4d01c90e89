import { Outlet } from "react-router";
import { NavigationProgress } from "#site/ui/progress.tsx";
import { ErrorPage } from "../shell/error-page.tsx";
import { allowRobotCheck } from "../shell/robot-policy.server.ts";
import { SiteLinks } from "../shell/site-links.tsx";
import "../shell/older-browsers.ts";
import "../admin.css";
import type { Route } from "./+types/layout";

export const middleware = [allowRobotCheck];

export default function AuthLayout() {
  return (
    <AuthShell>
      <Outlet />
    </AuthShell>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <AuthShell>
      <ErrorPage error={error} />
    </AuthShell>
  );
}

/** The shell of the screens that need no session. */
function AuthShell({ children }: { children: React.ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <meta name="robots" content="noindex" />
      <NavigationProgress />
      <nav aria-label="Site" className="border-b border-rule">
        <div className="page flex flex-wrap gap-x-5 py-2 text-sm">
          <SiteLinks />
        </div>
      </nav>
      <main className="page max-w-md py-10 sm:py-16">
        {children}
        <noscript>
          <p className="mt-6 text-danger">The admin area needs JavaScript. Please allow it for this site.</p>
        </noscript>
      </main>
    </div>
  );
}
