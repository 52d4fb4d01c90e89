import { load } from "#site/admin/shell/load.server.ts";
import { pageTitle } from "#site/admin/shell/page-title.ts";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { EpisodeListQuery, type EpisodeRow } from "#worker/episodes/contract.ts";
import { listEpisodes, listSeasons } from "#worker/episodes/owner-queries.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import { BinLink } from "../lists/bin-link.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { undoDeletion } from "../lists/undo-deletion.ts";
import { errorPage } from "../shell/error-page.tsx";
import { act, saved } from "../form/submit.ts";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { statusNames } from "../publishing/statuses.ts";
import { EpisodeTable } from "./episode-table.tsx";
import { MOVE } from "../moving-in/podcast/move-facts.ts";
import { typeNames } from "./episode-types.ts";
import type { Route } from "./+types/list";

const PATH = "/admin/podcast";

export const meta = pageTitle("Podcast");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, EpisodeListQuery, "episodes");
  const [list, seasons, show] = await load(
    Promise.all([listEpisodes(ctx, query), listSeasons(ctx), readShow(ctx)]),
  );
  return { ...list, query, seasons: seasons.items, hasShow: show !== null, artwork: show?.artwork ?? null };
}

/** Deletes one episode. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const remove = async () => {
    await ensureOk(api.episodes[":id"].$delete({ param: { id: String(form.get("id")) } }));
    return saved(form, "Episode deleted successfully!", { undo: undoDeletion("episode", form.get("id")) });
  };
  return act(form, remove, { toast: (message) => `Error deleting episode: ${message}` });
}

export default function EpisodeList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: episodes, next, query, seasons, hasShow, artwork } = loaderData;
  const { before: _before, ...filters } = query;
  return (
    <ListPage<EpisodeRow>
      title="Podcast Episodes"
      actions={
        <ButtonRow>
          <ButtonLink to={MOVE}>Move a podcast here</ButtonLink>
          <ButtonLink to={`${PATH}/new`} tone="primary">
            New episode
          </ButtonLink>
        </ButtonRow>
      }
      answer={actionData}
      noun="episode"
      renderText={({ title }) => (
        <p className="wrap-anywhere">
          “<span>{title}</span>” leaves the site and the feed, and moves to the bin for 30 days. To hide it
          for a while, archive it instead.
        </p>
      )}
    >
      {(ask) => (
        <>
          {!hasShow && (
            <p className="mb-6 border-l-2 border-signal pl-4">
              The podcast has no title and artwork yet, so there is no feed.{" "}
              <Link to={`${PATH}/show`} className="text-accent underline underline-offset-4">
                Describe the podcast
              </Link>
            </p>
          )}
          <Filters filters={filters} seasons={seasons} />
          {episodes.length === 0 ? (
            <Nothing isFiltered={Object.keys(query).length > 0} />
          ) : (
            <EpisodeTable episodes={episodes} artwork={artwork} onDelete={ask} />
          )}
          <ListPages path={PATH} query={query} count={episodes.length} next={next} noun="episodes" />
          <BinLink />
        </>
      )}
    </ListPage>
  );
}

type FiltersProps = { filters: Omit<EpisodeListQuery, "before">; seasons: number[] };

const Filters = ({ filters, seasons }: FiltersProps) => (
  <ListFilters path={PATH} filters={filters}>
    <FilterSelect label="Status" name="status" value={filters.status} options={Object.entries(statusNames)} />
    <FilterSelect
      label="Season"
      name="season"
      value={filters.season}
      options={seasons.map((season) => [season, `Season ${season}`])}
    />
    <FilterSelect label="Type" name="type" value={filters.type} options={Object.entries(typeNames)} />
  </ListFilters>
);

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No episodes found">Try other words, or clear the search.</EmptyState>
  ) : (
    <EmptyState title="No episodes yet">
      Create the first one. All it needs is a title. Or move a podcast here from another host, with all its
      episodes.
    </EmptyState>
  );

export const ErrorBoundary = errorPage("Failed to fetch episodes");
