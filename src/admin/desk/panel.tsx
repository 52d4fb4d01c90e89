import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatShortDate, grouped } from "#site/ui/format.ts";
import {
  COUNTED,
  COUNTED_OF_VISITORS,
  visitorKinds,
  type Desk,
  type DeskDrafts,
  type DeskItem,
  type DeskKind,
  type VisitorKind,
} from "#worker/desk/contract.ts";
import { FeedHealth, Line } from "./feed-health.tsx";

/** They follow one another in one line. */
const copyProblems: Record<Desk["backups"][number], string> = {
  "copy-old": "no copy of the site for two days",
  "drill-failed": "the last drill failed",
  "drill-late": "no drill for ten days",
};

/** The owner's pending work, each with a link, and the state of the podcast. */
export function DeskPanel({ desk }: { desk: Desk }) {
  const { drafts, scheduled, failed, stoppedLetters, heldLetters, fromVisitors, rawTranscripts, backups } =
    desk;
  const { downloads, lastEpisode, nextEpisode } = desk;
  const sent = visitorKinds
    .map((kind) => ({ kind, count: fromVisitors?.[kind] ?? 0 }))
    .filter(({ count }) => count > 0);
  const isNothing =
    drafts.article.count +
      drafts.episode.count +
      scheduled.length +
      sent.length +
      rawTranscripts.length +
      backups.length +
      (stoppedLetters ?? 0) +
      (heldLetters ?? 0) +
      (failed?.count ?? 0) ===
    0;
  return (
    <section aria-labelledby="desk" className="mb-8 border-y border-rule py-4 text-sm">
      <h2 id="desk" className="sr-only">
        Needs your attention
      </h2>
      <dl className="grid gap-x-10 gap-y-2 lg:grid-cols-2">
        {failed !== null && failed.count > 0 && (
          <Line title="Failed">
            <Link to="/admin/settings/failures" className="link inline-block py-0.5 font-medium text-danger">
              {failed.count === 1 ? "1 delivery failed" : `${counted(failed.count)} deliveries failed`}
            </Link>
          </Line>
        )}
        {backups.length > 0 && (
          <Line title="Copies">
            <Link to="/admin/settings/system" className="link inline-block py-0.5 font-medium text-danger">
              {backups.map((problem) => copyProblems[problem]).join("; ")}
            </Link>
          </Line>
        )}
        {stoppedLetters !== null && stoppedLetters > 0 && (
          <Line title="Letters">
            <Link to="/admin/newsletter" className="link inline-block py-0.5 font-medium text-danger">
              {stoppedLetters === 1 ? "1 letter stopped" : `${counted(stoppedLetters)} letters stopped`}
            </Link>
          </Line>
        )}
        {heldLetters !== null && heldLetters > 0 && (
          <Line title="To approve">
            <Link to="/admin/newsletter" className="link inline-block py-0.5">
              {heldLetters === 1 ? "1 automatic letter" : `${counted(heldLetters)} automatic letters`}
            </Link>
          </Line>
        )}
        {rawTranscripts.length > 0 && (
          <Line title="Transcripts">
            <ul className="grid gap-1">
              {rawTranscripts.map((item) => (
                <li key={item.id}>
                  <ItemLink kind="episode" item={item} />
                  <span className="text-muted">
                    {" "}
                    shows a program’s code as its transcript. Replace it with SRT or WebVTT.
                  </span>
                </li>
              ))}
            </ul>
          </Line>
        )}
        {sent.length > 0 && (
          <Line title="From visitors">
            {sent.map(({ kind, count }, index) => (
              <span key={kind}>
                {index > 0 && <span>{", "}</span>}
                <Link to={visitorPaths[kind]} className="link inline-block py-0.5">
                  {sentWords(kind, count)}
                </Link>
              </span>
            ))}
          </Line>
        )}
        {scheduled.length > 0 && (
          <Line title="Scheduled">
            <ul className="grid gap-1">
              {scheduled.map((item) => (
                <li key={`${item.kind} ${item.id}`}>
                  <ItemLink kind={item.kind} item={item} />,{" "}
                  <DateTime at={item.at} format={formatDateTime} className="text-muted" />
                </li>
              ))}
            </ul>
          </Line>
        )}
        <Drafts
          title="Draft articles"
          kind="article"
          drafts={drafts.article}
          all="/admin/articles?status=draft"
        />
        <Drafts
          title="Draft episodes"
          kind="episode"
          drafts={drafts.episode}
          all="/admin/podcast?status=draft"
        />
        {isNothing && <Line title="To do">Nothing needs your attention.</Line>}
        {downloads && (
          <Line title="Downloads">
            <Link to="/admin/analytics" className="link inline-block py-0.5">
              {downloads.yesterday === null ? "None yesterday" : `${grouped(downloads.yesterday)} yesterday`}
            </Link>
            <span className="text-muted">{`, ${grouped(downloads.today)} today so far`}</span>
          </Line>
        )}
        <Line title="Episodes">
          {lastEpisode ? (
            <span>
              Last: <ItemLink kind="episode" item={lastEpisode} />,{" "}
              <DateTime at={lastEpisode.at} format={formatShortDate} className="text-muted" />.{" "}
            </span>
          ) : (
            <span>Nothing published yet. </span>
          )}
          {nextEpisode ? (
            <span>
              Next: <ItemLink kind="episode" item={nextEpisode} />,{" "}
              <DateTime at={nextEpisode.at} format={formatDateTime} className="text-muted" />.
            </span>
          ) : (
            <span className="text-muted">Nothing scheduled.</span>
          )}
        </Line>
        <FeedHealth />
      </dl>
    </section>
  );
}

const paths: Record<DeskKind, string> = { article: "/admin/articles", episode: "/admin/podcast" };

const ItemLink = ({ kind, item: { id, title } }: { kind: DeskKind; item: DeskItem }) => (
  <Link to={`${paths[kind]}/${id}`} dir="auto" className="link py-1">
    {title}
  </Link>
);

/** The page for each kind. */
const visitorPaths: Record<VisitorKind, string> = {
  applications: "/admin/guests?box=pending",
  messages: "/admin/guests/messages?box=new",
  bookings: "/admin/guests/bookings?box=new",
  comments: "/admin/guests/comments?box=pending",
};

const visitorWords: Record<VisitorKind, [one: string, many: string]> = {
  applications: ["pending application", "pending applications"],
  messages: ["new message", "new messages"],
  bookings: ["new booking", "new bookings"],
  comments: ["pending comment", "pending comments"],
};

function sentWords(kind: VisitorKind, count: number) {
  const [one, many] = visitorWords[kind];
  const number = count >= COUNTED_OF_VISITORS ? `${COUNTED_OF_VISITORS - 1}+` : String(count);
  return `${number} ${count === 1 ? one : many}`;
}

const counted = (count: number) => (count >= COUNTED ? `${COUNTED} or more` : String(count));

type DraftsProps = { title: string; kind: DeskKind; drafts: DeskDrafts; all: string };

function Drafts({ title, kind, drafts: { count, latest }, all }: DraftsProps) {
  if (count === 0) return null;
  return (
    <Line title={title}>
      {latest.map((item, index) => (
        <span key={item.id}>
          {index > 0 && <span>{", "}</span>}
          <ItemLink kind={kind} item={item} />
        </span>
      ))}
      {count > latest.length && (
        <span>
          {" "}
          <Link to={all} className="link inline-block py-0.5 text-muted">
            {`and all ${counted(count)}`}
          </Link>
        </span>
      )}
    </Line>
  );
}
