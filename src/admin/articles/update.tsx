import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const meta = pageTitle("Update Content");

export default function UpdateContent() {
  return <ComingSoon title="Update Content">Batches of articles will be updated here.</ComingSoon>;
}
