import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const meta = pageTitle("Subscribers");

export default function Page() {
  return <ComingSoon title="Subscribers">Subscribers will be listed here.</ComingSoon>;
}
