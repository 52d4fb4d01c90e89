import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { ArticleListQuery, type ArticleRow } from "#worker/articles/contract.ts";
import { listArticles, listCategories } from "#worker/articles/owner-queries.ts";
import { readDesk } from "#worker/desk/queries.ts";
import { BinLink } from "../lists/bin-link.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { FirstSteps, saveTick, TICK } from "../desk/first-steps.tsx";
import { DeskPanel } from "../desk/panel.tsx";
import { act, intentOf, saved } from "../form/submit.ts";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PublishingDate } from "../publishing/publishing-date.tsx";
import { statusNames, statusTones } from "../publishing/statuses.ts";
import { undoDeletion } from "../lists/undo-deletion.ts";
import { RowActions } from "../lists/row-actions.tsx";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { CategoryMark } from "./category-mark.tsx";
import { sourceNames } from "./article-words.ts";
import type { Route } from "./+types/list";

const PATH = "/admin/articles";

export const meta = pageTitle("Articles");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, ArticleListQuery, "articles");
  const isFirstPage = Object.keys(query).length === 0;
  const [list, { items: categories }, desk] = await load(
    Promise.all([listArticles(ctx, query), listCategories(ctx), isFirstPage ? readDesk(ctx) : null]),
  );
  return { ...list, query, categories, desk };
}

/** Deletes one article, or ticks one of the first steps. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (intentOf(form) === TICK) return saveTick(form);
  return act(form, async () => {
    await ensureOk(api.articles[":id"].$delete({ param: { id: String(form.get("id")) } }));
    return saved(form, "Article deleted successfully!", { undo: undoDeletion("article", form.get("id")) });
  });
}

export default function ArticleList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: articles, next, query, categories, desk } = loaderData;
  const { before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <ListPage<ArticleRow>
      title="Articles"
      actions={
        <ButtonLink to="/admin/articles/new" tone="primary">
          New article
        </ButtonLink>
      }
      answer={actionData}
      noun="article"
      renderText={({ title }) => (
        <p className="wrap-anywhere">
          “<span>{title}</span>” leaves the site and the feed, and moves to the bin for 30 days. To hide it
          for a while, archive it instead.
        </p>
      )}
    >
      {(ask) => (
        <>
          <FirstSteps steps={desk?.firstSteps ?? null} />
          {desk && <DeskPanel desk={desk} />}
          <ListFilters path={PATH} filters={filters}>
            <FilterSelect
              label="Status"
              name="status"
              value={filters.status}
              options={Object.entries(statusNames)}
            />
            <FilterSelect
              label="Source"
              name="source"
              value={filters.source}
              options={Object.entries(sourceNames)}
            />
            <FilterSelect
              label="Category"
              name="category"
              value={filters.category}
              options={categories.map(({ id, name }) => [id, name])}
              className="lg:max-w-56"
            />
          </ListFilters>
          {articles.length === 0 ? (
            <Nothing isFiltered={isFiltered || before !== undefined} />
          ) : (
            <ArticleTable articles={articles} onDelete={ask} />
          )}
          <ListPages path={PATH} query={query} count={articles.length} next={next} noun="articles" />
          <BinLink />
        </>
      )}
    </ListPage>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No articles found">Try other words, or clear the search.</EmptyState>
  ) : (
    <EmptyState title="No articles yet">Write the first one. All it needs is a title.</EmptyState>
  );

type TableProps = { articles: ArticleRow[]; onDelete: (article: ArticleRow) => void };

const ArticleTable = ({ articles, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead columns={["Title", "Category", "Status", "Date", ACTIONS]} cardsBelow="sm" />
    <tbody>
      {articles.map((article) => (
        <tr
          key={article.id}
          className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0"
        >
          <td className="col-span-2 font-medium wrap-anywhere">
            <Link
              to={`/admin/articles/${article.id}`}
              dir="auto"
              className="py-1 underline-offset-4 hover:underline"
            >
              {article.title}
            </Link>
            {article.source === "linkedin" && <span className="ml-2 font-normal text-muted">LinkedIn</span>}
          </td>
          <td className="wrap-anywhere text-muted max-sm:col-span-2 max-sm:empty:hidden sm:max-w-48 sm:min-w-32">
            {article.category && <CategoryMark category={article.category} />}
          </td>
          <td>
            <Badge tone={statusTones[article.status]}>{statusNames[article.status]}</Badge>
          </td>
          <td className="text-muted max-sm:text-right sm:whitespace-nowrap">
            <PublishingDate {...article} />
          </td>
          <td className="text-right whitespace-nowrap max-sm:col-span-2">
            <RowActions
              to={`/admin/articles/${article.id}`}
              name={article.title}
              onDelete={() => onDelete(article)}
            />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
