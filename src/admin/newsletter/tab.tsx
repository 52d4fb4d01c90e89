import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("newsletter");

export const meta = pageTitle("Newsletter");

export default function NewsletterTab() {
  return <ComingSoon title="Newsletter">The newsletter will be written and sent here.</ComingSoon>;
}
