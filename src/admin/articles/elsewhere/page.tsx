import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { MOVED_ARTICLES } from "#worker/imports/elsewhere/contract.ts";
import { listImports } from "#worker/imports/import-queries.ts";
import { shellDataOf } from "../../guard.ts";
import { importStateNames, importStateTones, turnsOf } from "../../imports/names.ts";
import { ListPages } from "../../list-filters.tsx";
import { load } from "../../load.server.ts";
import { pageTitle } from "../../page-title.ts";
import { ELSEWHERE } from "./names.ts";
import { ElsewhereSteps } from "./steps.tsx";
import type { Route } from "./+types/page";

export const meta = pageTitle("Bring articles from elsewhere");

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
      <h1 className="mb-3 text-xl font-semibold">Bring articles from elsewhere</h1>
      <p className="mb-6 max-w-2xl text-muted">
        An export of Ghost, Substack or WordPress becomes articles with their dates and tags. Their pictures
        are fetched into this site, and their old addresses lead to them once your domain does. You see what
        will come before anything moves. A second time only what is new comes.
      </p>
      <ElsewhereSteps categories={categories} mayImportSubscribers={mayImportSubscribers} />
      {imports.items.length > 0 && <Former imports={imports.items} />}
      <ListPages path={ELSEWHERE} query={{ before }} next={imports.next} noun="imports" />
    </>
  );
}

const Former = ({ imports }: { imports: ImportProgress[] }) => (
  <section aria-labelledby="former" className="mt-10 grid gap-3">
    <h2 id="former" className="text-lg font-semibold">
      Imports until now
    </h2>
    <ul className="border-t border-rule">
      {imports.map((each) => (
        <li key={each.id} className="grid gap-1 border-b border-rule py-3">
          <div className="flex flex-wrap items-center gap-3">
            <Link to={`${ELSEWHERE}/${each.id}`} className="link font-medium wrap-anywhere">
              {each.source}
            </Link>
            <Badge tone={importStateTones[each.state]}>{importStateNames[each.state]}</Badge>
          </div>
          <p className="text-sm text-muted figures">
            <DateTime at={each.createdAt} format={formatDateTime} />, {turnsOf(each).toLocaleString("en")} of{" "}
            {each.counts.total.toLocaleString("en")} articles
          </p>
        </li>
      ))}
    </ul>
  </section>
);
