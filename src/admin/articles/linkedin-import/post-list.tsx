import { useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import { ProgressBar } from "#site/ui/progress.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { LeaveQuestion } from "../../imports/leave-question.tsx";
import type { Listed, PostRow, useLinkedIn } from "./use-linkedin.ts";

type Props = Pick<ReturnType<typeof useLinkedIn>, "progress" | "importPosts" | "cancel" | "clear"> & {
  listed: Listed;
};

/** Posts that are shown at first, and with each press more. */
const SHOWN = 50;

/** The posts of an archive, each of which may be imported. */
export function PostList({ listed: { rows, leftOut }, progress, importPosts, cancel, clear }: Props) {
  const [shown, setShown] = useState(SHOWN);
  const idle = rows.filter(({ state }) => state === "idle");
  const isBusy = progress !== null;
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h2 className="text-lg font-semibold">{counted(rows.length, "post")} of the last 2 years</h2>
        <p className="text-muted">{leftOutWords(leftOut)}</p>
      </div>
      <ButtonRow>
        {isBusy ? (
          <Button onClick={cancel}>Stop</Button>
        ) : (
          <>
            {idle.length > 0 && (
              <Button tone="primary" onClick={() => void importPosts(idle)}>
                Import {counted(idle.length, "post")}
              </Button>
            )}
            <Button onClick={clear}>Choose another archive</Button>
          </>
        )}
      </ButtonRow>
      {progress && <Progress {...progress} />}
      {rows.length === 0 && (
        <EmptyState title="No posts to import">
          The archive holds no posts of your own from the last 2 years.
        </EmptyState>
      )}
      <ul className={rows.length > 0 ? "border-b border-rule" : "hidden"}>
        {rows.slice(0, shown).map((row) => (
          <Row key={row.sourceUrl} row={row} isBusy={isBusy} onImport={() => void importPosts([row])} />
        ))}
      </ul>
      {rows.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>
        </div>
      )}
    </div>
  );
}

function leftOutWords({ older, notOriginal, unread }: Listed["leftOut"]) {
  const parts = [
    older > 0 && `${older} older`,
    notOriginal > 0 && `${notOriginal} without words of your own or sharing a post`,
    unread > 0 && `${unread} unpublished or not readable`,
  ].filter(Boolean);
  return parts.length === 0 ? "Nothing was left out." : `Left out: ${parts.join(", ")}.`;
}

const Progress = ({ done, total, waiting }: NonNullable<Props["progress"]>) => (
  <div className="grid max-w-3xl gap-3">
    <ProgressBar value={done / total} label="Import" />
    <p role="status" className="text-sm tabular-nums">
      {done} of {counted(total, "post")}
    </p>
    <p role="alert" className="text-sm font-medium text-danger empty:hidden">
      {waiting}
    </p>
    <LeaveQuestion>
      What was imported stays. The rest can be imported later from the same archive.
    </LeaveQuestion>
  </div>
);

const stateNames = { idle: "Idle", importing: "Importing", imported: "Imported" };
const tones = { idle: "neutral", importing: "info", imported: "accent" } as const;

type RowProps = { row: PostRow; isBusy: boolean; onImport: () => void };

const Row = ({ row, isBusy, onImport }: RowProps) => (
  <li className="grid gap-2 border-t border-rule py-4">
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4">
      <h3 className="font-medium wrap-anywhere">
        {row.id === null ? (
          row.title
        ) : (
          <Link to={`/admin/articles/${row.id}`} className="underline-offset-4 hover:underline">
            {row.title}
          </Link>
        )}
      </h3>
      <Badge tone={tones[row.state]}>{stateNames[row.state]}</Badge>
    </div>
    <p className="text-sm text-muted">
      {row.kind === "article" ? "Article" : "Post"},{" "}
      <DateTime at={row.originalPublishedAt} format={formatShortDate} />
    </p>
    {row.excerpt !== row.title && <p className="max-w-[70ch] text-sm wrap-anywhere">{row.excerpt}</p>}
    {row.notes.length > 0 && <p className="text-sm text-muted">{row.notes.join(" ")}</p>}
    {row.problem && (
      <p role="alert" className="text-sm font-medium text-danger">
        {row.problem}
      </p>
    )}
    <div className="flex flex-wrap items-center gap-4">
      {row.state !== "imported" && (
        <Button
          size="sm"
          aria-label={`Import ${row.title}`}
          busy={row.state === "importing"}
          disabled={isBusy && row.state === "idle"}
          onClick={onImport}
        >
          Import
        </Button>
      )}
      <a
        href={row.sourceUrl}
        rel="noopener"
        className="link py-1 text-sm"
        aria-label={`At LinkedIn: ${row.title}`}
      >
        At LinkedIn
      </a>
    </div>
  </li>
);
