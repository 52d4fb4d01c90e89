import { useState } from "react";
import { data, Form, useSubmit } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { SelectField } from "#site/ui/controls.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { TextField } from "#site/ui/field.tsx";
import { formatDateTime, formatShortDate } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { ArticleListQuery, type ArticleRow, type Category } from "#worker/articles/contract.ts";
import { listArticles, listCategories } from "#worker/articles/owner-queries.ts";
import { readDesk } from "#worker/desk/queries.ts";
import { FirstSteps, saveTick, TICK } from "../desk/first-steps.tsx";
import { DeskPanel } from "../desk/panel.tsx";
import { act, intentOf } from "../form/submit.ts";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { statusNames, statusTones } from "../publishing.ts";
import { RowActions } from "../row-actions.tsx";
import { CategoryMark } from "./category-mark.tsx";
import { sourceNames } from "./names.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Articles");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = queryOf(url.searchParams);
  const isFirstPage = Object.keys(query).length === 0;
  const [list, { items: categories }, desk] = await load(
    Promise.all([listArticles(ctx, query), listCategories(ctx), isFirstPage ? readDesk(ctx) : null]),
  );
  return { ...list, query, categories, desk };
}

/** What the address asks for; a filter that was left empty asks for nothing. */
function queryOf(params: URLSearchParams) {
  const known = [...params].filter(([name, value]) => name in ArticleListQuery.shape && value.trim() !== "");
  const query = ArticleListQuery.safeParse(Object.fromEntries(known));
  if (!query.success) throw data("There is no such list of articles.", { status: 404 });
  return query.data;
}

/** Deletes one article, or ticks one of the first steps. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (intentOf(form) === TICK) return saveTick(form);
  return act(form, async () => {
    await ensureOk(api.articles[":id"].$delete({ param: { id: String(form.get("id")) } }));
    return "Article deleted successfully!";
  });
}

export default function ArticleList({ loaderData }: Route.ComponentProps) {
  const { items: articles, next, query, categories, desk } = loaderData;
  const { before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  const [toDelete, setToDelete] = useState<ArticleRow | null>(null);
  const submit = useSubmit();
  const remove = () => {
    if (!toDelete) return;
    void submit({ intent: "delete", id: toDelete.id }, { method: "post" });
    setToDelete(null);
  };
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Articles</h1>
        <ButtonLink to="/admin/articles/new" tone="primary">
          New article
        </ButtonLink>
      </header>
      <FirstSteps steps={desk?.firstSteps ?? null} />
      {desk && <DeskPanel desk={desk} />}
      <Filters
        key={JSON.stringify(filters)}
        filters={filters}
        isFiltered={isFiltered}
        categories={categories}
      />
      {articles.length === 0 ? (
        <Nothing isFiltered={isFiltered || before !== undefined} />
      ) : (
        <ArticleTable articles={articles} onDelete={setToDelete} />
      )}
      {(next || before) && (
        <ButtonRow className="mt-6">
          {before && <ButtonLink to={addressOf(filters)}>Newest articles</ButtonLink>}
          {next && <ButtonLink to={addressOf({ ...filters, before: next })}>Older articles</ButtonLink>}
        </ButtonRow>
      )}
      <ConfirmDialog
        open={toDelete !== null}
        onOpenChange={(open) => !open && setToDelete(null)}
        title="Are you sure you want to delete this article?"
        confirm="Delete article"
        onConfirm={remove}
      >
        <p className="wrap-anywhere">
          “{toDelete?.title}” disappears from the site and the feed for good. To take it down for a while,
          archive it instead.
        </p>
      </ConfirmDialog>
    </>
  );
}

function addressOf(query: ArticleListQuery) {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/admin/articles${params.size > 0 ? `?${params}` : ""}`;
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No articles found">Try other words, or clear the search.</EmptyState>
  ) : (
    <EmptyState title="No articles yet">Write the first one: a title is enough to begin.</EmptyState>
  );

type FiltersProps = {
  filters: Omit<ArticleListQuery, "before">;
  isFiltered: boolean;
  categories: Category[];
};

/** A GET form: the search is in the address. */
const Filters = ({ filters, isFiltered, categories }: FiltersProps) => (
  <Form
    role="search"
    className="mb-6 grid grid-cols-2 items-end gap-3 sm:grid-cols-4 lg:grid-cols-[minmax(12rem,1fr)_auto_auto_auto_auto]"
  >
    <TextField
      label="Search"
      name="q"
      type="search"
      defaultValue={filters.q}
      maxLength={200}
      className="col-span-2 sm:col-span-4 lg:col-span-1"
    />
    <SelectField label="Status" name="status" defaultValue={filters.status ?? ""}>
      <option value="">All</option>
      <Options names={statusNames} />
    </SelectField>
    <SelectField label="Source" name="source" defaultValue={filters.source ?? ""}>
      <option value="">All</option>
      <Options names={sourceNames} />
    </SelectField>
    <SelectField
      label="Category"
      name="category"
      defaultValue={filters.category ?? ""}
      className="min-w-0 lg:max-w-56"
    >
      <option value="">All</option>
      <Options names={Object.fromEntries(categories.map(({ id, name }) => [id, name]))} />
    </SelectField>
    <ButtonRow>
      <Button type="submit">Search</Button>
      {isFiltered && (
        <ButtonLink to="/admin/articles" tone="bare">
          Clear
        </ButtonLink>
      )}
    </ButtonRow>
  </Form>
);

const Options = ({ names }: { names: Record<string, string> }) =>
  Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

type TableProps = { articles: ArticleRow[]; onDelete: (article: ArticleRow) => void };

const ArticleTable = ({ articles, onDelete }: TableProps) => (
  <table className="w-full border-t border-rule text-left text-sm tabular-nums">
    <thead className="sr-only sm:not-sr-only">
      <tr className="text-muted *:py-2 *:pr-4 *:font-normal">
        <th scope="col">Title</th>
        <th scope="col">Category</th>
        <th scope="col">Status</th>
        <th scope="col">Date</th>
        <th scope="col">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {articles.map((article) => (
        <tr
          key={article.id}
          className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0"
        >
          <td className="col-span-2 font-medium wrap-anywhere">
            <Link
              to={`/admin/articles/${article.id}`}
              className="inline-block py-1 underline-offset-4 hover:underline"
            >
              {article.title}
            </Link>
            {article.source === "linkedin" && <span className="ml-2 font-normal text-muted">LinkedIn</span>}
          </td>
          <td className="wrap-anywhere text-muted max-sm:col-span-2 max-sm:empty:hidden sm:max-w-48">
            {article.category && <CategoryMark category={article.category} />}
          </td>
          <td>
            <Badge tone={statusTones[article.status]}>{statusNames[article.status]}</Badge>
          </td>
          <td className="text-muted max-sm:text-right sm:whitespace-nowrap">
            <ArticleDate {...article} />
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

function ArticleDate({ status, publishedAt, scheduledFor }: ArticleRow) {
  if (status === "scheduled" && scheduledFor !== null)
    return <DateTime at={scheduledFor} format={formatDateTime} />;
  return publishedAt === null ? "Not published" : <DateTime at={publishedAt} format={formatShortDate} />;
}
