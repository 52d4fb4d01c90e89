import { useLocation } from "react-router";
import { siteContext } from "#site/context.ts";
import { ItemListQuery } from "#worker/imports/contract.ts";
import { listItems, readImport } from "#worker/imports/import-queries.ts";
import { readUndo } from "#worker/imports/undo.ts";
import { actOnImport } from "../act-on-import.ts";
import { ImportPage } from "../import-page.tsx";
import { movedArticles } from "../queued.ts";
import { listQueryOf } from "../../lists/list-filters.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import type { Unsent } from "./send.ts";
import type { Route } from "./+types/import";

export const meta = pageTitle(movedArticles.title);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = Number(params.id);
  const query = listQueryOf(url.searchParams, ItemListQuery, "articles");
  const [progress, items, undo] = await load(
    Promise.all([readImport(ctx, id), listItems(ctx, id, query), readUndo(ctx, id)]),
  );
  return { progress, items, query, undo };
}

export const clientAction = async ({ request, params: { id } }: Route.ClientActionArgs) =>
  actOnImport(await request.formData(), id);

/** The progress of an import of articles, and the result of each. */
export default function ElsewhereImport({ loaderData }: Route.ComponentProps) {
  return (
    <ImportPage
      {...loaderData}
      source={movedArticles}
      title={loaderData.progress.source}
      notice={<NotSent />}
      open={
        <p className="max-w-2xl text-muted">
          Only part of the export was sent, so nothing was imported. Choose it again to import its articles.
        </p>
      }
    />
  );
}

/** Articles that could not be sent, passed on by the page that sent the others. */
function NotSent() {
  const { unsent = [] } = (useLocation().state ?? {}) as { unsent?: Unsent[] };
  if (unsent.length === 0) return null;
  return (
    <section aria-labelledby="unsent" className="mb-8 grid max-w-3xl gap-2 border-l-4 border-danger pl-3">
      <h2 id="unsent" className="font-semibold">
        Not sent
      </h2>
      <ul className="grid gap-1 text-sm">
        {unsent.map(({ title, why }, index) => (
          <li key={index} className="wrap-anywhere">
            {`${title || "Untitled"}: ${why}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
