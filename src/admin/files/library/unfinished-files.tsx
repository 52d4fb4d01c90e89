import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import { Button } from "#site/ui/button.tsx";
import { formatSize, percent } from "#site/admin/files/format.ts";
import type { UnfinishedFile } from "#worker/files/contract.ts";
import { useSubmit } from "react-router";

/** Running uploads, here or elsewhere, and interrupted ones. */
export function UnfinishedFiles({ uploads }: { uploads: UnfinishedFile[] }) {
  const submit = useSubmit();
  if (uploads.length === 0) return null;
  return (
    <details className="mb-8 border-y border-rule py-3 text-sm">
      <summary className="cursor-pointer font-medium">
        {`${counted(uploads.length, "upload")} not finished`}
      </summary>
      <p className="mt-2 text-muted">
        To continue, choose the same file again where you uploaded it. An upload with no activity for a day is
        deleted.
      </p>
      <ul className="mt-2 grid gap-2">
        {uploads.map(({ id, name, size, received, partSize, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="font-medium wrap-anywhere">{name}</span>
            <span className="text-muted figures">
              <span>{`${percent(Math.min(received * partSize, size), size)} % of ${formatSize(size)} · `}</span>
              <DateTime at={createdAt} format={formatShortDate} />
            </span>
            <Button
              size="sm"
              tone="bare"
              aria-label={`Discard the upload of ${name}`}
              onClick={() => void submit({ intent: "delete", id }, { method: "post" })}
            >
              Discard
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
