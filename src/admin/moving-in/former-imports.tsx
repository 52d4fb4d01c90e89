import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { ListPages } from "../lists/list-filters.tsx";
import type { QueuedSource, QueuedWork } from "./queued.ts";
import { importStateTones, stateNameOf, turnsOf } from "./state-names.ts";

type FormerImportsProps = {
  imports: readonly ImportProgress[];
  next: string | null;
  /** The page that is shown. */
  before: string | undefined;
  source: Omit<QueuedSource, "resultPath">;
  work?: QueuedWork;
};

export const FormerImports = ({ imports, next, before, source, work = "import" }: FormerImportsProps) => (
  <>
    {imports.length > 0 && (
      <section aria-labelledby="former" className="mt-10 grid gap-3">
        <h2 id="former" className="text-lg font-semibold">
          {`Past ${work}s`}
        </h2>
        <ul className="border-t border-rule">
          {imports.map((each) => (
            <Row key={each.id} progress={each} source={source} />
          ))}
        </ul>
      </section>
    )}
    <ListPages path={source.path} query={{ before }} count={imports.length} next={next} noun={`${work}s`} />
  </>
);

type RowProps = { progress: ImportProgress; source: FormerImportsProps["source"] };

function Row({ progress: each, source }: RowProps) {
  return (
    <li className="grid gap-1 border-b border-rule py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Link to={`${source.path}/${each.id}`} className="link font-medium wrap-anywhere">
          {each.source}
        </Link>
        <Badge tone={importStateTones[each.state]}>{stateNameOf(each)}</Badge>
      </div>
      <p className="text-sm text-muted figures">
        <DateTime at={each.createdAt} format={formatDateTime} />
        <span>{`, ${turnsOf(each).toLocaleString("en")} of ${each.counts.total.toLocaleString("en")} ${source.many}`}</span>
      </p>
    </li>
  );
}
