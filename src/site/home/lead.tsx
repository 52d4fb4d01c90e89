import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { ProgressOverlay } from "#site/player/progress-marks.tsx";
import { PlayButton } from "#site/player/play-button.tsx";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { ACROSS } from "#site/ui/picture.tsx";
import { cx } from "#site/ui/cx.ts";
import { isLong } from "#site/ui/title.tsx";
import { Artwork, EssayPicture } from "#site/shell/artwork.tsx";
import { EssayFacts } from "../essays/facts.tsx";
import { EpisodeFacts } from "#site/shell/episode-facts.tsx";
import type { Lead as LeadItem, NewItem } from "./front-page.server.ts";

/** The front page's lead, and the column of new items beside it. */
export function Lead({ lead, alsoNew }: { lead: LeadItem; alsoNew: NewItem[] }) {
  const hasColumn = alsoNew.length > 0;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 py-6 lg:grid-cols-12">
      <div className={hasColumn ? "lg:col-span-9" : "lg:col-span-12"}>
        {lead.kind === "episode" ? <LeadEpisode {...lead} /> : <LeadEssay {...lead} />}
      </div>
      {hasColumn && <AlsoNew items={alsoNew} />}
    </div>
  );
}

type Of<Kind> = Omit<Extract<LeadItem, { kind: Kind }>, "kind">;

function LeadEpisode({ episode, tracks }: Of<"episode">) {
  const path = `/episode/${episode.id}`;
  return (
    <LeadStory
      path={path}
      title={episode.title}
      text={episode.description}
      facts={<EpisodeFacts episode={episode} lead="Latest episode" />}
      picture={
        <Artwork
          picture={episode.picture}
          seed={episode.id}
          figure={episode.episodeNumber}
          show={tracks[0]?.show}
          sizes={`(min-width: 48rem) 27rem, ${ACROSS}`}
          priority
        />
      }
      over={<ProgressOverlay episode={episode} />}
    >
      <PlayButton tracks={tracks} size="lg">
        Play episode
      </PlayButton>
      <ButtonLink to={path} size="lg">
        Read on
      </ButtonLink>
    </LeadStory>
  );
}

function LeadEssay({ essay }: Of<"essay">) {
  const path = `/essays/${essay.slug}`;
  return (
    <LeadStory
      path={path}
      title={essay.title}
      text={essay.excerpt}
      facts={<EssayFacts article={essay} />}
      picture={
        <EssayPicture
          picture={essay.picture}
          seed={essay.id}
          sizes={`(min-width: 48rem) 27rem, ${ACROSS}`}
          priority
        />
      }
    >
      <ButtonLink to={path} tone="primary" size="lg">
        Read the essay
      </ButtonLink>
    </LeadStory>
  );
}

type StoryProps = {
  path: string;
  title: string;
  text: string;
  facts: ReactNode;
  picture: ReactNode;
  /** Rendered over the picture. */
  over?: ReactNode;
  children: ReactNode;
};

function LeadStory({ path, title, text, facts, picture, over, children }: StoryProps) {
  return (
    <article className="grid grid-cols-1 gap-x-10 gap-y-5 md:grid-cols-2">
      <div className="relative self-start">
        <Link to={path} tabIndex={-1} aria-hidden>
          {picture}
        </Link>
        {over}
      </div>
      <div className="grid content-start gap-4">
        {facts}
        <h2 className={cx("headline", isLong(title) ? "text-story" : "text-2xl")}>
          <Link to={path} className="py-0.5 decoration-1 underline-offset-[0.12em] hover:underline">
            {title}
          </Link>
        </h2>
        {text && <p className="line-clamp-6 font-reading text-lg whitespace-pre-line">{text}</p>}
        <ButtonRow className="mt-2">{children}</ButtonRow>
      </div>
    </article>
  );
}

const AlsoNew = ({ items }: { items: NewItem[] }) => (
  <aside
    aria-labelledby="also-new"
    className="max-lg:border-t max-lg:border-rule max-lg:pt-5 lg:col-span-3 lg:border-l lg:border-rule lg:pl-6"
  >
    <h2 id="also-new" className="mb-3 text-base font-semibold">
      Also new
    </h2>
    <ul className="grid gap-x-10 sm:max-lg:grid-cols-2">
      {items.map(({ kind, path, title, publishedAt }) => (
        <li
          key={path}
          className={
            "grid content-start gap-0.5 border-t border-rule py-3 first:border-t-0 sm:max-lg:nth-2:border-t-0"
          }
        >
          <p className="kicker facts">
            <span>{kind}</span>
            <DateTime at={publishedAt} format={formatShortDate} />
          </p>
          <Link
            to={path}
            className="headline text-lg leading-snug py-0.5 underline-offset-[0.15em] hover:underline"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  </aside>
);
