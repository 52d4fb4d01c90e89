import { siteContext } from "#site/context.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { MOVED_ARTICLES } from "#worker/imports/importers/contract.ts";
import { listImports } from "#worker/imports/import-queries.ts";
import { shellDataOf } from "../../shell/guard.ts";
import { FormerImports } from "../former-imports.tsx";
import { movedArticles } from "../queued.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { ElsewhereSteps } from "./steps.tsx";
import type { Route } from "./+types/page";

export const meta = pageTitle(movedArticles.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ items: categories }, imports] = await load(
    Promise.all([listCategories(ctx), listImports(ctx, { kind: MOVED_ARTICLES, before })]),
  );
  const mayImportSubscribers = shellDataOf(ctx).openTabs.includes("newsletter");
  return {
    categories: categories.map(({ id, name }) => ({ id, name })),
    imports,
    before,
    mayImportSubscribers,
  };
}

/** Where an export is chosen, and the imports before. */
export default function Elsewhere({ loaderData }: Route.ComponentProps) {
  const { categories, imports, before, mayImportSubscribers } = loaderData;
  return (
    <>
      <h1 className="mb-3 text-xl font-semibold">{movedArticles.title}</h1>
      <p className="mb-6 max-w-2xl text-muted">
        Import an export from Ghost, Substack, WordPress, Squarespace, Medium, Blogger, beehiiv, Buttondown or
        another Rostrum, or a feed. Dates, tags and pictures come with the articles, and old links redirect
        once your domain points here. You see what will be imported before anything moves. Import again and
        only new items are added.
      </p>
      <ElsewhereSteps categories={categories} mayImportSubscribers={mayImportSubscribers} />
      <FormerImports imports={imports.items} next={imports.next} before={before} source={movedArticles} />
    </>
  );
}
