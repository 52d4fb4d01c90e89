import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { LibraryFile } from "#worker/files/contract.ts";
import { factsOf, filePath } from "./describe-file.ts";
import { Thumbnail } from "./thumbnail.tsx";

type Props = { files: LibraryFile[]; onDelete: (file: LibraryFile) => void };

export const FileGrid = ({ files, onDelete }: Props) => (
  <ul className="grid gap-x-5 gap-y-8 sm:grid-cols-2 md:grid-cols-3 xl:grid-cols-4">
    {files.map((file) => (
      <li
        key={file.id}
        className="grid min-w-0 grid-cols-[6rem_1fr] content-start gap-x-4 gap-y-2 sm:grid-cols-1"
      >
        <Link to={filePath(file.id)} tabIndex={-1} aria-hidden className="block">
          <Thumbnail
            file={file}
            sizes="(min-width: 40rem) 18rem, 6rem"
            className="aspect-square sm:aspect-[4/3]"
          />
        </Link>
        <div className="grid min-w-0 content-start gap-1 text-sm">
          <Link
            to={filePath(file.id)}
            className="font-medium py-0.5 wrap-anywhere underline-offset-4 hover:underline"
          >
            {file.name}
          </Link>
          <p className="text-muted figures">{factsOf(file)}</p>
          <p className="text-muted figures">
            <DateTime at={file.completedAt} format={formatShortDate} />
          </p>
          <div className="mt-1 flex flex-wrap items-center gap-2 empty:hidden">
            {file.kind === "picture" && file.alt === "" && <Badge tone="signal">No description</Badge>}
            {!file.isUsed && <Badge>{file.isKept ? "Unused" : "Unused, deleted soon"}</Badge>}
            {!file.isUsed && (
              <Button tone="bare" size="sm" aria-label={`Delete ${file.name}`} onClick={() => onDelete(file)}>
                Delete
              </Button>
            )}
          </div>
        </div>
      </li>
    ))}
  </ul>
);
