import { siteContext } from "#site/context.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { BatchSteps } from "./batch/steps.tsx";
import type { Route } from "./+types/update";

export const meta = pageTitle("Update Content");

export async function loader({ context }: Route.LoaderArgs) {
  const { items: categories } = await load(listCategories(context.get(siteContext)));
  return { categories };
}

export default function UpdateContent({ loaderData: { categories } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Update Content</h1>
      <BatchSteps categories={categories} />
    </>
  );
}
