import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import { moveOf } from "../podcast/move-facts.ts";
import { Rows } from "../wizard/plan-view.tsx";
import { isChosen, isHere, statusOf, type Choice, type Plan, type Row } from "./choice.ts";

/** Rows that are shown at first, and with each press more. */
const SHOWN = 50;

/** Each post of an export, with what will happen to it. */
export const PlanRows = ({ rows, choice }: { rows: Row[]; choice: Choice }) => (
  <section aria-labelledby="rows" className="grid gap-4">
    <h2 id="rows" className="text-lg font-semibold">
      Every post and page
    </h2>
    <Rows rows={rows} most={SHOWN}>
      {(row) => <PlanRow key={row.key} row={row} choice={choice} />}
    </Rows>
  </section>
);

function PlanRow({ row, choice }: { row: Row; choice: Choice }) {
  const { title, kind, at, pictures, slug, notes, audio } = row;
  const isComing = isChosen(row, choice);
  const status = statusOf(row, choice);
  const here = hereOf(row);
  return (
    <li className="grid justify-items-start gap-x-6 gap-y-1 py-3 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium wrap-anywhere">
          {here ? (
            <Link to={here} className="link">
              {title || "Untitled"}
            </Link>
          ) : (
            title || "Untitled"
          )}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          <span>{kind === "page" ? "Page" : "Post"}</span>
          {at !== null && (
            <span>
              , <DateTime at={at} format={formatShortDate} />
            </span>
          )}
          {pictures > 0 && <span>{`, ${counted(pictures, "picture")}`}</span>}
          {!here && isComing && slug !== "" && <span>{`, at /essays/${slug}`}</span>}
        </p>
        {notes.length > 0 && <p className="max-w-2xl text-sm text-muted wrap-anywhere">{notes.join(" ")}</p>}
        {audio?.feed && audio.here === null && (
          <Link
            to={moveOf(audio.feed)}
            className="link w-fit text-sm"
            aria-label={`Import the podcast of ${title}`}
          >
            Import the podcast
          </Link>
        )}
      </div>
      {isHere(row) ? (
        <Badge>{audio?.here ? "Here as an episode" : "Already here"}</Badge>
      ) : isComing ? (
        <Badge tone={comingTones[status]}>{comingNames[status]}</Badge>
      ) : (
        <Badge>Not imported</Badge>
      )}
    </li>
  );
}

const comingNames = { published: "Published", scheduled: "Scheduled", draft: "Draft" } as const;
const comingTones = { published: "accent", scheduled: "info", draft: "neutral" } as const;

const hereOf = ({ known, audio }: Row) =>
  known ? `/admin/articles/${known.id}` : audio?.here ? `/admin/podcast/${audio.here}` : null;

/** The parts that the export lacks or that are not imported. */
export function Remarks({ plan: { authors, remarks } }: { plan: Plan }) {
  const names = authors.length === 0 ? [] : [`Authors’ names aren’t imported: ${authors.join(", ")}.`];
  const said = [...remarks, ...names];
  if (said.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm text-muted">
      {said.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  );
}

/** Titles that are shown of each. */
const SHOWN_TITLES = 5;

/** The losses and simplifications in the imported articles, most frequent first. */
export function changesOf(rows: Row[]) {
  const notes = rows.flatMap(({ title, notes: said }) =>
    said.map((note) => ({ title, what: groupOf(note) })),
  );
  return [...Map.groupBy(notes, ({ what }) => what)]
    .map(([what, found]) => ({
      what,
      count: found.length,
      titles: found.slice(0, SHOWN_TITLES).map(({ title }) => title || "Untitled"),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** A note without what is the item's own: the names behind a colon, its number of comments. */
const groupOf = (note: string) =>
  note
    .replace(/: [^]*$/, "")
    .replace(/^[\d,]+ comments? (?:isn|aren)’t imported$/, "Comments aren’t imported")
    .replace(/\.$/, "")
    .replace(/^[\d,]+ comments? (?:isn|aren)’t imported$/, "Comments aren’t imported");
