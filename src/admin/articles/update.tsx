import { siteContext } from "#site/context.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { countArticles } from "#worker/articles/upkeep-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { BatchSteps } from "../moving-in/batch/steps.tsx";
import { UpkeepPanel } from "./upkeep/panel.tsx";
import type { Route } from "./+types/update";

export const meta = pageTitle("Update Content");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ items: categories }, total] = await load(Promise.all([listCategories(ctx), countArticles(ctx)]));
  return { categories, total };
}

export default function UpdateContent({ loaderData: { categories, total } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Update Content</h1>
      <BatchSteps categories={categories} />
      <UpkeepPanel total={total} />
    </>
  );
}
