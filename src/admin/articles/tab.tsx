import { requireTab } from "../guard.ts";
import { ComingSoon } from "../coming-soon.tsx";
import { pageTitle } from "../page-title.ts";

export const middleware = requireTab("articles");

export const meta = pageTitle("Articles");

export default function ArticlesTab() {
  return <ComingSoon title="Articles">Articles will be written here.</ComingSoon>;
}
