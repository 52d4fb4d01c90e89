import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { ProgressOverlay } from "#site/player/progress-marks.tsx";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import type { ArticleSummary } from "#worker/articles/contract.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { Artwork, EssayPicture } from "#site/shell/artwork.tsx";
import { EssayFacts } from "../essays/facts.tsx";
import { EpisodeFacts } from "#site/shell/episode-facts.tsx";
import { useLayoutData } from "../use-layout.ts";
import { Department } from "./department.tsx";

type FeaturedProps = {
  essay: ArticleSummary | null;
  conversation: EpisodeSummary | null;
  /** The show's name. */
  show: string;
  youtube: string | null;
};

/** A featured article and a featured episode, side by side. */
export function Featured({ essay, conversation, show, youtube }: FeaturedProps) {
  if (!essay && !conversation) return null;
  return (
    <Department title="Featured" isWide>
      <div className="grid grid-cols-1 gap-8 lg:grid-flow-col lg:auto-cols-fr lg:ruled-columns">
        {essay && <FeaturedEssay essay={essay} />}
        {conversation && <FeaturedConversation {...{ conversation, show, youtube }} />}
      </div>
    </Department>
  );
}

function FeaturedEssay({ essay }: { essay: ArticleSummary }) {
  const takesLetters = Boolean(useLayoutData()?.newsletter);
  const path = `/essays/${essay.slug}`;
  return (
    <Story
      kicker="Latest essay"
      path={path}
      title={essay.title}
      text={essay.excerpt}
      facts={<EssayFacts article={essay} />}
      picture={<EssayPicture picture={essay.picture} seed={essay.id} sizes={ASIDE} />}
    >
      <ButtonLink to={path}>
        Read<span className="sr-only">{`: ${essay.title}`}</span>
      </ButtonLink>
      <Subscribe href={takesLetters ? "#newsletter" : "/rss/essays.xml"} to="the essays" />
    </Story>
  );
}

type FeaturedConversationProps = Pick<FeaturedProps, "show" | "youtube"> & { conversation: EpisodeSummary };

function FeaturedConversation({ conversation, show, youtube }: FeaturedConversationProps) {
  const path = `/episode/${conversation.id}`;
  return (
    <Story
      kicker="A recent conversation"
      path={path}
      title={conversation.title}
      text={conversation.description}
      facts={<EpisodeFacts episode={conversation} />}
      picture={
        <Artwork
          picture={conversation.picture}
          seed={conversation.id}
          figure={conversation.episodeNumber}
          show={show}
          sizes={ASIDE}
        />
      }
      over={<ProgressOverlay episode={conversation} />}
    >
      <ButtonLink to={conversation.youtubeUrl ?? path}>
        <span>{conversation.youtubeUrl ? "Watch" : "Listen"}</span>
        <span className="sr-only">{`: ${conversation.title}`}</span>
      </ButtonLink>
      <Subscribe href={youtube ?? "/rss/podcast.xml"} to="the conversations" />
    </Story>
  );
}

/** An anchor, a file or another site: not a route. */
const Subscribe = ({ href, to }: { href: string; to: string }) => (
  <a href={href} className="link px-2 py-2 text-sm font-medium">
    Subscribe<span className="sr-only">{` to ${to}`}</span>
  </a>
);

/** Of a picture beside its words. */
const ASIDE = "(min-width: 64rem) 232px, (min-width: 40rem) 40vw, 88px";

type StoryProps = {
  kicker: string;
  path: string;
  title: string;
  text: string;
  facts: ReactNode;
  picture: ReactNode;
  /** Rendered over the picture. */
  over?: ReactNode;
  children: ReactNode;
};

function Story({ kicker, path, title, text, facts, picture, over, children }: StoryProps) {
  return (
    <article className="grid grid-cols-[5.5rem_minmax(0,1fr)] content-start gap-x-4 gap-y-2 sm:grid-cols-[2fr_3fr] sm:grid-rows-[auto_auto_1fr] sm:gap-x-6 lg:pr-10 lg:last:pr-0">
      <div className="relative self-start sm:row-span-3">
        <Link to={path} tabIndex={-1} aria-hidden>
          {picture}
        </Link>
        {over}
      </div>
      <div className="grid content-start gap-2.5">
        <p className="kicker text-signal">{kicker}</p>
        <h3 className="headline text-story">
          <Link to={path} className="py-0.5 underline-offset-[0.15em] hover:underline">
            {title}
          </Link>
        </h3>
      </div>
      <div className="grid content-start gap-2.5 max-sm:col-span-full">
        {facts}
        {text && <p className="line-clamp-2 font-reading text-base sm:line-clamp-4 text-muted">{text}</p>}
        <ButtonRow className="mt-1">{children}</ButtonRow>
      </div>
    </article>
  );
}
