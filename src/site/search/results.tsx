import { Play } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { formatShortDate, formatShortDay, formatTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { DocumentHit, MomentHit } from "#worker/discovery/contract.ts";

const kindLabels: Record<DocumentHit["kind"], string> = {
  episode: "Episode",
  essay: "Essay",
  press: "Press",
};

/** Highlights the matched words. */
const marked = "[&_mark]:rounded-sm [&_mark]:bg-found [&_mark]:text-ink";

const rowGrid = "grid gap-x-10 gap-y-2 border-t border-rule py-6 first:border-t-0 first:pt-0 lg:grid-cols-12";

export function Documents({ hits }: { hits: DocumentHit[] }) {
  if (hits.length === 0) return null;
  return (
    <section>
      <h2 className="sr-only">Episodes, essays and press</h2>
      <ol>
        {hits.map((hit) => (
          <li key={hit.path} className={rowGrid}>
            <Document hit={hit} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The server has escaped the text around its marks. */
const Document = ({ hit: { kind, path, title, excerpt, names, date } }: { hit: DocumentHit }) => (
  <>
    <p className="kicker facts content-start lg:col-span-3 lg:pt-1">
      <span>{kindLabels[kind]}</span>
      <DateTime at={date} format={kind === "press" ? formatShortDay : formatShortDate} />
    </p>
    <article className="grid gap-2 lg:col-span-9">
      <h3 className={`headline text-xl ${marked}`}>
        <Link
          to={path}
          className="py-0.5 underline-offset-[0.15em] hover:underline"
          dangerouslySetInnerHTML={{ __html: title }}
        />
      </h3>
      <p
        className={`max-w-[38rem] font-reading text-base text-muted ${marked}`}
        dangerouslySetInnerHTML={{ __html: excerpt }}
      />
      {names && <p className={`text-sm ${marked}`} dangerouslySetInnerHTML={{ __html: names }} />}
    </article>
  </>
);

type MomentsProps = {
  hits: MomentHit[];
  /** Shown below the documents. */
  isAside: boolean;
  /** Link to all results of the kind. */
  more: string | null;
};

export function Moments({ hits, isAside, more }: MomentsProps) {
  if (hits.length === 0) return null;
  return (
    <section className={isAside ? "mt-6 border-t border-ink pt-4" : undefined}>
      <div className={isAside ? "mb-6 flex items-baseline justify-between gap-4" : "sr-only"}>
        <h2 className="text-base font-semibold">Said in an episode</h2>
        {more && (
          <Link to={more} className="link text-sm">
            All moments
          </Link>
        )}
      </div>
      <ol>
        {hits.map((hit) => (
          <li key={hit.episodeId} className={rowGrid}>
            <Moment hit={hit} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Moment({ hit: { path, seconds, speaker, excerpt, episodeTitle, date } }: { hit: MomentHit }) {
  return (
    <>
      <div className="lg:col-span-3">
        <Link
          to={path}
          className="group/moment inline-flex items-center gap-2 font-medium text-accent underline-offset-4 hover:underline"
        >
          <Play aria-hidden size={14} fill="currentColor" />
          <span className="figures">
            <span className="sr-only">Play from </span>
            <span>{formatTime(seconds)}</span>
            <span className="sr-only">{`: ${episodeTitle}`}</span>
          </span>
        </Link>
      </div>
      <div className="grid gap-2 lg:col-span-9">
        <blockquote
          className={`max-w-[38rem] font-reading text-lg ${marked}`}
          dangerouslySetInnerHTML={{ __html: excerpt }}
        />
        <p className="kicker facts">
          {speaker && <span>{speaker}</span>}
          <span>{episodeTitle}</span>
          <DateTime at={date} format={formatShortDate} />
        </p>
      </div>
    </>
  );
}
