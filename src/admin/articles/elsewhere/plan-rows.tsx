import { useRef, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import { ShowMore } from "#site/ui/show-more.tsx";
import { comingNames, comingTones } from "./names.ts";
import { isChosen, type Choice, type Plan, type Row } from "./plan.ts";

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
          <PlanRow key={row.key} row={row} isComing={isChosen(row, choice)} />
        ))}
      </ul>
      {rows.length > shown && <ShowMore list={list} shown={shown} onShow={() => setShown(shown + SHOWN)} />}
    </section>
  );
}

function PlanRow({ row, isComing }: { row: Row; isComing: boolean }) {
  const { title, kind, at, pictures, slug, notes, known } = row;
  const status = kind === "page" ? "draft" : row.status;
  return (
    <li className="grid gap-x-6 gap-y-1 border-b border-rule py-3 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium wrap-anywhere">
          {known ? (
            <Link to={`/admin/articles/${known.id}`} className="link">
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
          {!known && isComing && slug !== "" && <span>{`, at /essays/${slug}`}</span>}
        </p>
        {notes.length > 0 && <p className="max-w-2xl text-sm text-muted">{notes.join(" ")}</p>}
      </div>
      {known ? (
        <Badge>Already here</Badge>
      ) : isComing ? (
        <Badge tone={comingTones[status]}>{comingNames[status]}</Badge>
      ) : (
        <Badge>Not imported</Badge>
      )}
    </li>
  );
}

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
