import { Outlet } from "react-router";
import { errorPage } from "../shell/error-page.tsx";
import { requireTab } from "../shell/guard.ts";

export const middleware = requireTab("analytics");

/** The Analytics tab: the panel of a period, and a page for each episode. */
export default function AnalyticsTab() {
  return <Outlet />;
}

export const ErrorBoundary = errorPage("Failed to load analytics");
