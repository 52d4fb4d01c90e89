import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("speaking");

export const meta = pageTitle("Speaking Engagements");

export default function SpeakingTab() {
  return <ComingSoon title="Speaking Engagements">Speaking engagements will be kept here.</ComingSoon>;
}
