import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("analytics");

export const meta = pageTitle("Analytics");

export default function AnalyticsTab() {
  return <ComingSoon title="Analytics">What is read and heard will be shown here.</ComingSoon>;
}
