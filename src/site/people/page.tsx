import { siteContext } from "#site/context.ts";
import { trackOf } from "#site/player/core/playback.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describePerson } from "#worker/discovery/metadata.ts";
import type { PersonPage } from "#worker/profiles/contract.ts";
import { readPersonPage } from "#worker/profiles/queries.ts";
import type { Route } from "./+types/page.ts";
import { orNearest, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { EpisodeList } from "../podcast/list.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site, show }, { person, items, next }] = await Promise.all([
    readSiteAndShow(ctx),
    orNearest(ctx, url, readPersonPage(ctx, params.slug, before)),
  ]);
  return {
    person,
    crumb: person.name,
    title: show?.title ?? site.name,
    episodes: items,
    next,
    meta: describePerson(ctx, site, show, person, { before }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Person({ loaderData: { person, title, episodes, next } }: Route.ComponentProps) {
  const { name, roles, about, picture, slug } = person;
  const words = roles.join(", ");
  return (
    <article className="page pb-8">
      <PageHead
        title={name}
        byline={words.charAt(0).toUpperCase() + words.slice(1)}
        standfirst={about}
        aside={
          picture && (
            <Artwork
              picture={picture}
              seed={0}
              sizes="(min-width: 64rem) 17.5rem, 12rem"
              priority
              className="w-48 max-lg:w-32"
            />
          )
        }
      >
        <Links {...person} />
      </PageHead>
      <section aria-labelledby="episodes" className="pt-5">
        <h2 id="episodes" className="pb-4 text-base font-semibold">
          {`Episodes of ${title}`}
        </h2>
        {episodes.length > 0 ? (
          <EpisodeList episodes={episodes} tracks={episodes.map((episode) => trackOf(episode, title))} />
        ) : (
          <p className="text-muted">None yet.</p>
        )}
      </section>
      {next && (
        <ButtonLink to={`/people/${slug}?before=${next}`} className="mt-4">
          Older episodes
        </ButtonLink>
      )}
    </article>
  );
}

const Links = ({ links }: Pick<PersonPage, "links">) =>
  links.length > 0 && (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {links.map(({ label, url }) => (
        <li key={url}>
          <a href={url} className="link inline-block min-w-6 py-1">
            {label}
          </a>
        </li>
      ))}
    </ul>
  );

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
