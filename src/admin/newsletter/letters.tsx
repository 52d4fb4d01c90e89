import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const meta = pageTitle("Newsletter");

export default function Page() {
  return <ComingSoon title="Newsletter">Letters will be written and sent here.</ComingSoon>;
}
