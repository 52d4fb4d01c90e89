import { useEffect } from "react";
import { useNavigation } from "react-router";
import { note } from "#site/analytics/notes.ts";
import { UNPROMPTED } from "#site/document/deferred-hydration.ts";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { TabLinks } from "#site/ui/tab-links.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describeSearch } from "#worker/discovery/metadata.ts";
import type { Newest } from "#worker/discovery/newest.ts";
import { readNewest } from "#worker/discovery/newest.ts";
import type { SearchKind, SearchResults } from "#worker/discovery/contract.ts";
import { search } from "#worker/discovery/search.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { SearchForm } from "./form.tsx";
import { addressOf, kinds } from "./kinds.ts";
import { Documents, Moments } from "./results.tsx";

/** Newest items per kind, shown without a query. */
const SUGGESTIONS = 3;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const kind = kinds.find((one) => one.kind === url.searchParams.get("kind"))?.kind;
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site }, results] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(search(ctx, { q: url.searchParams.get("q") ?? "", kind, before })),
  ]);
  const isEmpty = results.documents.length === 0 && results.moments.length === 0;
  return {
    results,
    kind,
    isFirst: before === undefined,
    newest: isEmpty ? await readNewest(ctx, SUGGESTIONS) : null,
    meta: describeSearch(ctx, site, results.query),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

type Loaded = Route.ComponentProps["loaderData"];

export default function Search({ loaderData }: Route.ComponentProps) {
  const { results, kind } = loaderData;
  useNote(results);
  return (
    <div {...(results.query && { [UNPROMPTED]: "" })} className="page pb-4">
      <PageHead title="Search">
        <SearchForm query={results.query} kind={kind} className="w-full" />
      </PageHead>
      {results.query && <Kinds results={results} current={kind} />}
      <Answer {...loaderData} />
    </div>
  );
}

/** Reports a search to the tracker, without the query. */
function useNote({ query, documents, moments }: SearchResults) {
  const results = documents.length + moments.length;
  useEffect(() => {
    if (query !== "") note({ type: "search", metadata: { results } });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Another kind or page of results is the same search.
  }, [query]);
}

function Kinds({ results, current }: { results: SearchResults; current?: SearchKind }) {
  return (
    <TabLinks
      label="What to search"
      links={kinds.map(({ kind, label }) => ({
        to: addressOf({ q: results.query, kind }),
        label,
        isCurrent: kind === current,
      }))}
      current="page"
    />
  );
}

function Answer({ results, kind, isFirst, newest }: Loaded) {
  const { location } = useNavigation();
  const isPending = location?.pathname === "/search";
  return (
    <div aria-busy={isPending} className={isPending ? "opacity-60 transition-opacity" : undefined}>
      <p role="status" className="pt-4 pb-6 text-muted empty:hidden">
        {statusOf(results, isFirst, newest)}
      </p>
      <Documents hits={results.documents} />
      <Moments
        hits={results.moments}
        isAside={kind !== "transcript"}
        more={results.hasMoreMoments ? addressOf({ q: soughtOf(results), kind: "transcript" }) : null}
      />
      {results.next && (
        <ButtonLink to={addressOf({ q: soughtOf(results), kind, before: results.next })} className="mt-4">
          More results
        </ButtonLink>
      )}
      {newest && <Suggestions {...newest} />}
    </div>
  );
}

/** The query that was searched, after spelling correction. */
const soughtOf = ({ query, correction }: SearchResults) => correction ?? query;

function statusOf(
  { query, correction, documents, moments }: SearchResults,
  isFirst: boolean,
  newest: Loaded["newest"],
) {
  if (query === "") return "Type a word, a name or a subject. Search includes what was said in episodes.";
  if (correction) return `No results for “${query}”. Showing results for “${correction}”.`;
  if (documents.length + moments.length > 0) return `Best matches for “${query}”`;
  if (!isFirst) return "No more results.";
  const hasOthers = newest !== null && newest.episodes.length + newest.essays.length > 0;
  return `No results for “${query}”. Try fewer or different words${hasOthers ? ", or one of these" : ""}.`;
}

function Suggestions({ episodes, essays }: { episodes: Newest[]; essays: Newest[] }) {
  return (
    <div className="grid gap-x-10 gap-y-10 pb-8 md:grid-cols-2">
      <NewestList
        title="The newest episodes"
        things={episodes}
        all={{ to: "/podcast", label: "All episodes" }}
      />
      <NewestList
        title="The newest essays"
        things={essays}
        all={{ to: "/conversations", label: "All articles" }}
      />
    </div>
  );
}

type NewestListProps = { title: string; things: Newest[]; all: { to: string; label: string } };

function NewestList({ title, things, all }: NewestListProps) {
  if (things.length === 0) return null;
  return (
    <section className="border-t border-ink pt-4">
      <h2 className="mb-4 flex items-baseline justify-between gap-4 text-base font-semibold">{title}</h2>
      <ul>
        {things.map(({ path, title: name, description }) => (
          <li key={path} className="border-t border-rule py-4 first:border-t-0 first:pt-0">
            <Link to={path} className="headline text-xl underline-offset-[0.15em] hover:underline">
              {name}
            </Link>
            <p className="mt-1 line-clamp-2 max-w-[38rem] font-reading text-base text-muted">{description}</p>
          </li>
        ))}
      </ul>
      <Link to={all.to} className="link text-sm">
        {all.label}
      </Link>
    </section>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to search. Please try again later." />;
