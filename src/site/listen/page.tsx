import { data } from "react-router";
import { siteContext } from "#site/context.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { appLinks, type AppLink } from "#site/shell/app-links.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { ArrowUpRight } from "#site/ui/icons.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { isDevice } from "#worker/listening-device.ts";
import { devices, firstOn, podcastApps, type Device } from "#worker/settings/podcast-apps.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";

const STANDFIRST = "Choose your app and follow the podcast: new episodes then arrive there automatically.";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { site, show } = await readSiteAndShow(ctx);
  const device = url.searchParams.get("device");
  const title = show?.title ?? site.name;
  const loaded = {
    title,
    artwork: show?.artwork ?? null,
    feedUrl: show ? ctx.config.siteUrl + FEED_PATH : null,
    ...appsFor(isDevice(device) ? device : null, appLinks(site)),
    meta: describePage(ctx, site, {
      title: "Where to Listen",
      description: `Listen to ${title} in your podcast app.`,
      path: "/listen",
      image: show?.artwork?.src,
      label: title,
    }),
  };
  return data(loaded, { headers: { Vary: "User-Agent" } });
}

/** The answer for one device must not be served to another. */
export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

/** The apps that have a link: the device's own first, then those for all devices, then those for other ones. */
function appsFor(device: Device | null, links: AppLink[]) {
  const isFor = ({ key }: AppLink) => {
    const { onlyOn } = podcastApps[key];
    return !device || !onlyOn || onlyOn.includes(device);
  };
  const preferred = (device ? firstOn[device] : []).flatMap((key) =>
    links.filter((link) => link.key === key),
  );
  const others = links.filter((link) => !preferred.includes(link));
  const apps = [...preferred, ...others.filter(isFor), ...others.filter((link) => !isFor(link))];
  return {
    first: device && preferred[0] ? { device: devices[device], ...preferred[0] } : null,
    apps: apps.map(({ key, ...link }) => ({
      ...link,
      runsOn: (podcastApps[key].onlyOn ?? []).map((name) => devices[name]).join(", "),
    })),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Listen({ loaderData }: Route.ComponentProps) {
  const { title, artwork, feedUrl, first, apps } = loaderData;
  return (
    <article className="page pb-8">
      <PageHead
        title={`Listen to ${title}`}
        standfirst={STANDFIRST}
        aside={<Artwork picture={artwork} seed={0} sizes="12rem" priority className="w-48 max-lg:w-32" />}
      >
        {first && (
          <>
            <ButtonLink to={first.href} tone="primary" size="lg">{`Listen on ${first.label}`}</ButtonLink>
            <p className="kicker">{`For ${first.device}`}</p>
          </>
        )}
      </PageHead>
      <section aria-labelledby="apps" className="pt-5">
        <h2 id="apps" className="pb-4 text-base font-semibold">
          {first ? "All apps" : "Apps"}
        </h2>
        <ul className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
          {apps.map((app) => (
            <App key={app.label} {...app} />
          ))}
          {feedUrl && <App label="RSS" href="/rss/podcast.xml" runsOn="Every other podcast app" />}
          <App label="On this site" href="/podcast" runsOn="Without an app" isHere />
        </ul>
      </section>
      {feedUrl && <OtherApps feedUrl={feedUrl} />}
    </article>
  );
}

type AppProps = { label: string; href: string; runsOn: string; isHere?: boolean };

const App = ({ label, href, runsOn, isHere }: AppProps) => (
  <li className="border-t border-rule">
    <a
      href={href}
      rel={isHere ? undefined : "noopener"}
      className="group flex items-center justify-between gap-4 py-4"
    >
      <span className="grid gap-0.5">
        <span className="headline text-lg underline-offset-[0.15em] group-hover:underline">{label}</span>
        {runsOn && <span className="text-sm text-muted">{runsOn}</span>}
      </span>
      {!isHere && <ArrowUpRight aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />}
    </a>
  </li>
);

const OtherApps = ({ feedUrl }: { feedUrl: string }) => (
  <section aria-labelledby="other-apps" className="grid gap-2 border-t border-rule pt-5 pb-8">
    <h2 id="other-apps" className="text-base font-semibold">
      Your app isn’t here?
    </h2>
    <p className="max-w-[38rem] font-reading text-lg">
      Search it for the podcast’s name, or paste this address where it lets you add a podcast:
    </p>
    <p translate="no" className="font-mono text-sm break-all select-all">
      {feedUrl}
    </p>
  </section>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
