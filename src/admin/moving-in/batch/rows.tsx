import { useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { Category } from "#worker/articles/contract.ts";
import { Choice } from "../../lists/choice.tsx";
import { Rows } from "../wizard/plan-view.tsx";
import { BatchDifference } from "./difference.tsx";
import { outcomeOf, reasonOf, statusOfNew, type BatchRow, type Outcome } from "./items.ts";

const tones = { update: "info", insert: "accent", none: "neutral", refused: "danger" } as const;
const planned: Record<Outcome, string> = {
  update: "To update",
  insert: "To insert",
  none: "No change",
  refused: "Refused",
};
const happened: Record<Outcome, string> = {
  update: "Updated",
  insert: "Inserted",
  none: "No change",
  refused: "Not written",
};

/** Rows that are shown at first, and with each press more. */
const SHOWN = 100;

type Props = {
  rows: BatchRow[];
  /** After the run: each leads to its article. */
  isDone?: boolean;
  categories: Category[];
};

/** The plan of each article of a batch, or its result. */
export function BatchRows({ rows, isDone = false, categories }: Props) {
  const [only, setOnly] = useState<Outcome | null>(null);
  const names = isDone ? happened : planned;
  const outcomes = (Object.keys(names) as Outcome[]).map((outcome) => ({
    outcome,
    count: rows.filter((row) => outcomeOf(row) === outcome).length,
  }));
  const listed = only === null ? rows : rows.filter((row) => outcomeOf(row) === only);
  return (
    <section aria-label="Articles in the batch" className="grid gap-4">
      <div role="group" aria-label="Show" className="flex flex-wrap items-center gap-2">
        <span aria-hidden className="text-sm text-muted">
          Show
        </span>
        <Choice isOn={only === null} onPress={() => setOnly(null)}>
          {`All (${rows.length})`}
        </Choice>
        {outcomes
          .filter(({ count }) => count > 0)
          .map(({ outcome, count }) => (
            <Choice key={outcome} isOn={only === outcome} onPress={() => setOnly(outcome)}>
              {`${names[outcome]} (${count})`}
            </Choice>
          ))}
      </div>
      <Rows rows={listed} most={SHOWN} noun="article">
        {(row) => (
          <Row key={row.key} row={row} name={names[outcomeOf(row)]} isDone={isDone} categories={categories} />
        )}
      </Rows>
    </section>
  );
}

type RowProps = { row: BatchRow; name: string; isDone: boolean; categories: Category[] };

function Row({ row, name, isDone, categories }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const outcome = outcomeOf(row);
  const reason = reasonOf(row);
  const shows = outcome === "update" ? "the difference" : "the article";
  const label = isOpen ? `Hide ${shows}` : `Show ${shows}`;
  const hasDifference = !isDone && (outcome === "update" || outcome === "insert");
  return (
    <li className="grid gap-2 py-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1">
        <p className="font-medium wrap-anywhere">
          <Title row={row} isDone={isDone} />
        </p>
        <Badge tone={tones[outcome]}>{name}</Badge>
        {row.title !== "" && <p className="text-sm wrap-anywhere text-muted">{row.file}</p>}
      </div>
      {outcome === "insert" && <StateOfNew row={row} />}
      {reason && <p className="text-sm wrap-anywhere text-danger">{reason}</p>}
      {!isDone && row.notes.length > 0 && (
        <p className="text-sm wrap-anywhere text-muted">{row.notes.join(" ")}</p>
      )}
      {hasDifference && (
        <div>
          <Button
            size="sm"
            tone="bare"
            className="-ml-3"
            aria-expanded={isOpen}
            aria-label={`${label}: ${row.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {label}
          </Button>
          {isOpen && (
            <div className="mt-2 border-l-2 border-rule pl-4">
              <BatchDifference row={row} categories={categories} />
            </div>
          )}
        </div>
      )}
    </li>
  );
}

const states = {
  draft: "As a draft",
  published: "Published",
  scheduled: "Scheduled",
  archived: "Archived",
} as const;

/** What a new article becomes, and its date. */
function StateOfNew({ row }: { row: BatchRow }) {
  const at = row.article?.scheduledFor ?? row.article?.publishedAt ?? null;
  return (
    <p className="text-sm">
      <span>{states[statusOfNew(row)]}</span>
      {at !== null && (
        <span>
          , <DateTime at={at} format={formatShortDate} />
        </span>
      )}
    </p>
  );
}

function Title({ row: { title, file, result }, isDone }: Pick<RowProps, "row" | "isDone">) {
  if (!isDone || !result?.id) return <span>{title || file}</span>;
  return (
    <Link to={`/admin/articles/${result.id}`} className="underline-offset-4 hover:underline">
      {title}
    </Link>
  );
}
