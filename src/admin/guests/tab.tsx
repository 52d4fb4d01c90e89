import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("guests");

export const meta = pageTitle("Guest Applications");

export default function GuestsTab() {
  return <ComingSoon title="Guest Applications">Guest applications will be answered here.</ComingSoon>;
}
