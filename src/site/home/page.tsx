import { Link } from "react-router";
import { siteContext } from "#site/context.ts";
import { PlayButton } from "#site/player/play-button.tsx";
import { trackOf } from "#site/player/playback.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { Title } from "#site/ui/title.tsx";
import { describeHome } from "#worker/discovery/metadata.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { listPublishedEpisodes } from "#worker/episodes/episodes.ts";
import type { Route } from "./+types/page.ts";
import { Artwork } from "../artwork.tsx";
import { EpisodeFacts, EpisodeList } from "../podcast/list.tsx";
import { readFrame } from "../frame.server.ts";
import { PageError } from "../page-error.tsx";
import { Department } from "./department.tsx";

/** The lead and what stands below it. */
const SHOWN = 6;

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, { episodes, next }] = await Promise.all([
    readFrame(ctx),
    listPublishedEpisodes(ctx, { limit: SHOWN }),
  ]);
  return {
    site,
    showTitle: show?.title ?? site.name,
    episodes,
    hasMore: next !== null,
    meta: describeHome(ctx, site, { image: episodes[0]?.imageUrl ?? show?.artworkUrl }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Home({ loaderData: { site, showTitle, episodes, hasMore } }: Route.ComponentProps) {
  const [lead, ...others] = episodes;
  if (!lead) return <Unpublished name={site.name} description={site.description} />;
  return (
    <div className="page">
      <h1 className="sr-only">{site.name}</h1>
      {site.description && (
        <p className="border-b border-rule py-4 font-reading text-base text-muted">{site.description}</p>
      )}
      <Lead episode={lead} tracks={episodes.map((episode) => trackOf(episode, showTitle))} />
      {others.length > 0 && (
        <Department
          title="Earlier conversations"
          more={hasMore ? { to: "/podcast", label: "All episodes" } : undefined}
        >
          <EpisodeList episodes={others} headings="h3" />
        </Department>
      )}
    </div>
  );
}

/** The front page's one large thing. */
function Lead({ episode, tracks }: { episode: EpisodeSummary; tracks: ReturnType<typeof trackOf>[] }) {
  const path = `/episode/${episode.id}`;
  return (
    <article className="grid grid-cols-1 gap-x-10 gap-y-6 py-8 md:grid-cols-12 md:grid-rows-[auto_1fr] lg:gap-y-8 lg:py-12">
      <header className="grid min-w-0 grid-cols-1 content-start gap-3 md:col-span-7">
        <EpisodeFacts episode={episode} lead="Latest episode" />
        <Title as="h2" text={episode.title}>
          <Link to={path} className="decoration-2 underline-offset-[0.12em] hover:underline">
            {episode.title}
          </Link>
        </Title>
      </header>
      <Link to={path} tabIndex={-1} aria-hidden className="md:col-span-5 md:row-span-2">
        <Artwork
          src={episode.imageUrl}
          alt={episode.imageAlt}
          seed={episode.id}
          figure={String(episode.episodeNumber)}
          size={480}
          priority
        />
      </Link>
      <div className="grid min-w-0 grid-cols-1 content-start gap-6 md:col-span-7">
        <p className="max-w-[34rem] wrap-anywhere font-reading text-lg whitespace-pre-line">
          {episode.description}
        </p>
        <ButtonRow>
          <PlayButton tracks={tracks} size="lg">
            Play episode
          </PlayButton>
          <ButtonLink to={path} size="lg">
            Read on
          </ButtonLink>
        </ButtonRow>
      </div>
    </article>
  );
}

function Unpublished({ name, description }: { name: string; description: string }) {
  return (
    <section className="page py-12 lg:py-20">
      <Title text={name} />
      {description && <p className="mt-4 max-w-2xl font-reading text-lg text-muted">{description}</p>}
      <EmptyState title="The first episode is on its way" className="mt-12">
        Nothing has been published yet. Follow the{" "}
        <a className="link" href="/rss/podcast.xml">
          RSS feed
        </a>{" "}
        and it will arrive in your podcast app by itself.
      </EmptyState>
    </section>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
