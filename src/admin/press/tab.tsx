import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("media");

export const meta = pageTitle("Media");

export default function PressTab() {
  return <ComingSoon title="Media">Media coverage and press releases will be kept here.</ComingSoon>;
}
