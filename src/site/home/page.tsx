import type { MetaDescriptor } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { PageContent } from "#worker/pages/contract.ts";
import { Department } from "./department.tsx";
import { leadFromHome } from "../loader.server.ts";
import { Banner } from "../newsletter/banner.tsx";
import { PageError } from "../page-error.tsx";
import { SocialFeed } from "../social/feed.tsx";
import { SocialProof } from "../social/proof.tsx";
import { useLayoutData } from "../use-layout.ts";
import { Building } from "./building.tsx";
import { Featured } from "./featured.tsx";
import { readFrontPage } from "./front-page.server.ts";
import { GuestPromo } from "./guest-promo.tsx";
import { Hero } from "./hero.tsx";
import { Lead } from "./lead.tsx";
import { Playlists } from "./playlists.tsx";
import { Principles } from "./principles.tsx";
import type { Route } from "./+types/page.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  await leadFromHome(ctx, url);
  return readFrontPage(ctx);
}

export const meta = ({ loaderData }: Route.MetaArgs): MetaDescriptor[] | undefined => loaderData?.meta;

export default function Home({ loaderData }: Route.ComponentProps) {
  const { site, words, lead, alsoNew, essay, conversation, posts } = loaderData;
  return (
    <div className="page">
      <Hero site={site} essay={loaderData.latestEssay} />
      {lead ? <Lead lead={lead} alsoNew={alsoNew} /> : <NothingYet />}
      <Playlists show={loaderData.show} />
      <Featured essay={essay} conversation={conversation} show={loaderData.show} youtube={site.youtube} />
      <Ways />
      <Building title={words.buildingTitle} cards={words.building} />
      <Principles title={words.principlesTitle} principles={words.principles} />
      {site.takesGuests && (
        <GuestPromo title={words.guestTitle} text={words.guestText} figures={site.figures} />
      )}
      <Credentials title={words.credentialsTitle} credentials={words.credentials} />
      {(posts.length > 0 || site.socialProof.length > 0) && (
        <Department title="Social updates">
          <div className="grid gap-6">
            <SocialProof rows={site.socialProof} />
            <SocialFeed posts={posts} />
          </div>
        </Department>
      )}
      <Enquiry title={words.enquiryTitle} text={words.enquiryText} />
      {/* The form is at the end of the page, in the footer. */}
      {!useLayoutData()?.newsletter && <Banner variant="all" />}
    </div>
  );
}

/** The ways to follow, together and once. */
const Ways = () => (
  <div className="flex flex-wrap gap-x-6 border-t border-rule py-2 lg:grid lg:grid-cols-3 lg:gap-x-10">
    <Banner variant="newsletter" brief />
    <Banner variant="podcast" brief />
    <Banner variant="youtube" brief />
  </div>
);

const NothingYet = () => (
  <EmptyState title="The first episode is coming soon">
    Nothing is published yet. Follow the{" "}
    <a className="link" href="/rss/podcast.xml">
      RSS feed
    </a>{" "}
    and it will arrive in your podcast app automatically.
  </EmptyState>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;

type CredentialsProps = { title: string; credentials: PageContent<"home">["credentials"] };

function Credentials({ title, credentials }: CredentialsProps) {
  if (credentials.length === 0) return null;
  return (
    <Department title={title} more={{ to: "/about", label: "About" }}>
      <ul className="grid gap-x-10 sm:grid-cols-2">
        {credentials.map((card) => (
          <li key={card.title} className="border-b border-rule py-3 first:pt-0 sm:nth-2:pt-0">
            <h3 className="headline text-lg">{card.title}</h3>
            <p className="font-reading text-base text-muted">{card.text}</p>
          </li>
        ))}
      </ul>
    </Department>
  );
}

type EnquiryProps = { title: string; text: string };

const Enquiry = ({ title, text }: EnquiryProps) => (
  <section
    aria-labelledby="enquiry"
    className="grid items-end gap-x-10 gap-y-5 border-t border-ink pt-4 lg:grid-cols-12"
  >
    <div className="grid gap-3 lg:col-span-9">
      <h2 id="enquiry" className="headline text-story">
        {title}
      </h2>
      {text && <p className="max-w-[38rem] font-reading text-lg text-muted">{text}</p>}
    </div>
    <div className="lg:col-span-3 lg:justify-self-end">
      <ButtonLink to="/contact" tone="primary" size="lg">
        Get in touch
      </ButtonLink>
    </div>
  </section>
);
