import { Outlet } from "react-router";
import { ErrorPage } from "../shell/error-page.tsx";
import { requireTab } from "../shell/guard.ts";
import type { Route } from "./+types/tab";

export const middleware = requireTab("analytics");

/** The Analytics tab: the panel of a period, and a page for each episode. */
export default function AnalyticsTab() {
  return <Outlet />;
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <ErrorPage error={error} failed="Failed to load analytics" />
);
