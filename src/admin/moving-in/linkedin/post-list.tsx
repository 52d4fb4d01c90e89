import { useState } from "react";
import { SelectField } from "#site/ui/controls.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { Rows } from "../wizard/plan-view.tsx";
import type { ImportedAs } from "./items.ts";
import { Row } from "./post-row.tsx";
import { Waiting } from "./sources.tsx";
import type { Listed, PostRow, usePosts } from "./use-posts.ts";

type Props = Pick<ReturnType<typeof usePosts>, "reading" | "error" | "goOn" | "stop" | "clear"> & {
  listed: Listed;
  /** Whether an import is being started, runs or is paused. */
  isBusy: boolean;
  onImport: (rows: PostRow[], as: ImportedAs) => void;
};

/** Posts that are shown at first, and with each press more. */
const SHOWN = 50;

/** The posts that were found, each of which may be imported. */
export function PostList({ listed, reading, error, isBusy, onImport, goOn, stop, clear }: Props) {
  const { rows, leftOut } = listed;
  const [as, setAs] = useState<ImportedAs>("draft");
  const idle = rows.filter(({ state }) => state === "idle");
  return (
    <section aria-labelledby="linkedin-posts" className="grid gap-6">
      <div className="grid gap-1">
        <h2 id="linkedin-posts" className="text-lg font-semibold">
          {`${counted(rows.length, "post")} of the last 2 years`}
        </h2>
        <p role="status" className="text-muted">
          {reading ? "More may follow: they’re still being fetched." : leftOutWords(leftOut)}
        </p>
      </div>
      {reading && <Waiting words={reading.waiting} onStop={stop} />}
      {error && <Broken error={error} onGoOn={() => void goOn()} />}
      {idle.length > 0 && (
        <SelectField
          label="Import as"
          className="max-w-md"
          value={as}
          onChange={({ currentTarget }) => setAs(currentTarget.value as ImportedAs)}
          help="Once published, each article has the date of its LinkedIn post."
        >
          <option value="draft">Drafts, which only you see</option>
          <option value="published">Published articles</option>
        </SelectField>
      )}
      <ButtonRow>
        {idle.length > 0 && (
          <Button tone="primary" disabled={isBusy || reading !== null} onClick={() => onImport(idle, as)}>
            Import all
          </Button>
        )}
        <Button onClick={clear}>Start again</Button>
      </ButtonRow>
      {rows.length === 0 && !reading && !error && (
        <EmptyState title="No posts to import">
          You have no posts of your own from the last 2 years.
        </EmptyState>
      )}
      <Rows rows={rows} most={SHOWN}>
        {(row) => <Row key={row.sourceUrl} row={row} isBusy={isBusy} onImport={() => onImport([row], as)} />}
      </Rows>
    </section>
  );
}

const Broken = ({ error, onGoOn }: { error: string; onGoOn: () => void }) => (
  <div className="grid max-w-3xl justify-items-start gap-3 border-l-4 border-danger pl-4">
    <p role="alert" className="text-sm font-medium wrap-anywhere">
      {`Some posts weren’t fetched. ${error}`}
    </p>
    <Button size="sm" onClick={onGoOn}>
      Continue
    </Button>
  </div>
);

function leftOutWords({ older, notOriginal, unread }: Listed["leftOut"]) {
  const parts = [
    older > 0 && `${older} older`,
    notOriginal > 0 && `${notOriginal} without your own words or sharing another post`,
    unread > 0 && `${unread} unpublished or unreadable`,
  ].filter(Boolean);
  return parts.length === 0 ? "Nothing was left out." : `Left out: ${parts.join(", ")}.`;
}
