import { siteContext } from "#site/context.ts";
import { appLinks } from "#site/shell/app-links.ts";
import { trackOf } from "#site/player/core/playback.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { describePodcast } from "#worker/discovery/metadata.ts";
import { listPublishedEpisodes } from "#worker/episodes/queries.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { ShowHead } from "./head.tsx";
import { EpisodeList } from "./list.tsx";
import { Platforms } from "./platforms.tsx";
import { supportOf, Supporters } from "./support.tsx";

/** Episodes in one page of the list. */
const PAGE = 12;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site, show }, { items: episodes, next }] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(listPublishedEpisodes(ctx, { before, limit: PAGE })),
  ]);
  return {
    site: { name: site.name, description: site.description, apps: appLinks(site) },
    support: supportOf(site),
    show,
    episodes,
    next,
    isFirst: before === undefined,
    meta: describePodcast(ctx, site, show, episodes, { before }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Podcast({
  loaderData: { site, support, show, episodes, next, isFirst },
}: Route.ComponentProps) {
  const title = show?.title ?? site.name;
  const tracks = episodes.map((episode) => trackOf(episode, title));
  return (
    <div className="page py-8">
      <ShowHead
        title={title}
        show={show}
        text={show?.description ?? site.description}
        latest={isFirst ? tracks.filter(({ audioUrl }) => audioUrl) : []}
      />
      <Platforms links={site.apps} />
      <section className="-mt-px border-t border-ink pt-6">
        <h2 className="sr-only">Episodes</h2>
        {episodes.length > 0 ? (
          <EpisodeList episodes={episodes} tracks={tracks} />
        ) : (
          <NoEpisodes isFirst={isFirst} />
        )}
      </section>
      {next && (
        <ButtonLink to={`/podcast?before=${next}`} className="mt-4">
          Older episodes
        </ButtonLink>
      )}
      {support && <Supporters support={support} />}
    </div>
  );
}

const NoEpisodes = ({ isFirst }: { isFirst: boolean }) =>
  isFirst ? (
    <EmptyState title="No episodes yet" className="border-t-0 pt-0">
      The first one is coming soon. Follow the RSS feed and it will arrive in your podcast app automatically.
    </EmptyState>
  ) : (
    <EmptyState
      title="No older episodes"
      className="border-t-0 pt-0"
      action={<ButtonLink to="/podcast">Newest episodes</ButtonLink>}
    />
  );

export const ErrorBoundary = () => <PageError title="Failed to load episodes. Please try again later." />;
