import { useRef, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import { ShowMore } from "#site/ui/show-more.tsx";
import { moveOf } from "../podcast/move-facts.ts";
import { comingNames, comingTones } from "./coming-names.ts";
import { isChosen, isHere, statusOf, type Choice, type Plan, type Row } from "./choice.ts";

/** Rows that are shown at first, and with each press more. */
const SHOWN = 50;

/** Each post of an export, and what becomes of it. */
export function PlanRows({ rows, choice }: { rows: Row[]; choice: Choice }) {
  const [shown, setShown] = useState(SHOWN);
  const list = useRef<HTMLUListElement>(null);
  return (
    <section aria-labelledby="rows" className="grid gap-4">
      <h2 id="rows" className="text-lg font-semibold">
        Every post and page
      </h2>
      <ul ref={list} className="border-t border-rule">
        {rows.slice(0, shown).map((row) => (
          <PlanRow key={row.key} row={row} choice={choice} />
        ))}
      </ul>
      {rows.length > shown && <ShowMore list={list} shown={shown} onShow={() => setShown(shown + SHOWN)} />}
    </section>
  );
}

function PlanRow({ row, choice }: { row: Row; choice: Choice }) {
  const { title, kind, at, pictures, slug, notes, audio } = row;
  const isComing = isChosen(row, choice);
  const status = statusOf(row, choice);
  const here = hereOf(row);
  return (
    <li className="grid justify-items-start gap-x-6 gap-y-1 border-b border-rule py-3 sm:grid-cols-[1fr_auto] sm:items-start">
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

const hereOf = ({ known, audio }: Row) =>
  known ? `/admin/articles/${known.id}` : audio?.here ? `/admin/podcast/${audio.here}` : null;

/** What the export does not have, or what does not come with it. */
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

/** What of the articles that come is left behind or simplified, and of how many. */
export function Changes({ rows }: { rows: Row[] }) {
  const groups = Map.groupBy(
    rows.flatMap(({ title, notes }) => notes.map((note) => ({ title, what: groupOf(note) }))),
    ({ what }) => what,
  );
  if (groups.size === 0) return null;
  const sorted = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <section aria-labelledby="changes" className="grid max-w-3xl gap-3">
      <h2 id="changes" className="text-lg font-semibold">
        What changes on the way
      </h2>
      <ul className="border-t border-rule">
        {sorted.map(([what, found]) => (
          <li key={what} className="grid gap-1 border-b border-rule py-3">
            <p>{`${what} (${found.length.toLocaleString("en")})`}</p>
            <p className="text-sm text-muted wrap-anywhere">
              {found
                .slice(0, SHOWN_TITLES)
                .map(({ title }) => title || "Untitled")
                .join(", ") + (found.length > SHOWN_TITLES ? " and others" : "")}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A note without what is the item's own: the names behind a colon, its number of comments. */
const groupOf = (note: string) =>
  note
    .replace(/: [^]*$/, "")
    .replace(/^[\d,]+ comments? (?:isn|aren)’t imported$/, "Comments aren’t imported")
    .replace(/\.$/, "")
    .replace(/^[\d,]+ comments? (?:isn|aren)’t imported$/, "Comments aren’t imported");

export const LeftOut = ({ leftOut }: Pick<Plan, "leftOut">) =>
  leftOut.size === 0 ? null : (
    <section aria-labelledby="left-out" className="grid max-w-3xl gap-3">
      <h2 id="left-out" className="text-lg font-semibold">
        Left out
      </h2>
      <ul className="border-t border-rule">
        {[...leftOut].map(([why, { count, titles }]) => (
          <li key={why} className="grid gap-1 border-b border-rule py-3">
            <p>{`${why} (${count.toLocaleString("en")})`}</p>
            {titles.length > 0 && (
              <p className="text-sm text-muted wrap-anywhere">
                {`${titles.join(", ")}${count > titles.length ? " and others" : ""}`}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
