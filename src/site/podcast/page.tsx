import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { Title } from "#site/ui/title.tsx";
import { describePodcast } from "#worker/discovery/metadata.ts";
import type { PublicShow } from "#worker/episodes/contract.ts";
import { listPublishedEpisodes } from "#worker/episodes/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/page.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { EpisodeList } from "./list.tsx";
import { Platforms } from "./platforms.tsx";
import { supportOf, Supporters } from "./support.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site, show }, { items: episodes, next }] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(listPublishedEpisodes(ctx, { before })),
  ]);
  return {
    site: { name: site.name, description: site.description, platforms: site.platforms },
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
  return (
    <div className="page py-8">
      <ShowHead site={site} show={show} />
      <Platforms site={site} />
      <section className="-mt-px border-t border-ink pt-6">
        <h2 className="sr-only">Episodes</h2>
        {episodes.length > 0 ? (
          <EpisodeList episodes={episodes} show={show?.title ?? site.name} />
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

type ShownSite = Pick<Site, "name" | "description" | "platforms">;

function ShowHead({ site, show }: { site: ShownSite; show: PublicShow | null }) {
  const title = show?.title ?? site.name;
  return (
    <header className="grid grid-cols-1 gap-x-12 gap-y-6 pb-12 sm:grid-cols-[12rem_1fr] lg:grid-cols-[17.5rem_1fr]">
      <Artwork
        picture={show?.artwork ?? null}
        seed={0}
        sizes="(min-width: 64rem) 17.5rem, 12rem"
        priority
        className="max-sm:w-40"
      />
      <div className="grid content-start gap-4">
        {show?.author && <p className="kicker">{`A podcast by ${show.author}`}</p>}
        <Title text={title} />
        <p className="max-w-[38rem] font-reading text-lg whitespace-pre-line">
          {show?.description ?? site.description}
        </p>
      </div>
    </header>
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
