import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("ventures");

export const meta = pageTitle("Ventures");

export default function VenturesTab() {
  return <ComingSoon title="Ventures">Ventures will be kept here.</ComingSoon>;
}
