import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import type { PostRow } from "./use-posts.ts";

const stateNames = { idle: "Idle", importing: "Importing", imported: "Imported" };
const tones = { idle: "neutral", importing: "info", imported: "accent" } as const;

type Props = { row: PostRow; isBusy: boolean; onImport: () => void };

export const Row = ({ row, isBusy, onImport }: Props) => (
  <li className="grid gap-2 py-4">
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
    <p className="text-sm text-muted figures">
      <span>{`${row.kind === "article" ? "Article" : "Post"}, `}</span>
      <DateTime at={row.originalPublishedAt} format={formatShortDate} />
      {row.engagement && (
        <span>{` · ${counted(row.engagement.likes, "like")}, ${counted(row.engagement.comments, "comment")}`}</span>
      )}
    </p>
    {row.excerpt && <p className="max-w-[70ch] text-sm wrap-anywhere">{row.excerpt}</p>}
    {row.state !== "imported" && row.notes.length > 0 && (
      <p className="text-sm text-muted">{row.notes.join(" ")}</p>
    )}
    {row.remark && <p className="text-sm text-muted wrap-anywhere">{row.remark}</p>}
    {row.problem && (
      <p role="alert" className="text-sm font-medium text-danger wrap-anywhere">
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
