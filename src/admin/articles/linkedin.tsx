import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const meta = pageTitle("LinkedIn Import");

export default function LinkedInImport() {
  return <ComingSoon title="LinkedIn Import">Posts from LinkedIn will be imported here.</ComingSoon>;
}
