import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { ImportedItem, ImportState, ItemState } from "#worker/imports/contract.ts";
import { formatSize } from "../files/format.ts";
import { ActionButton } from "../form/form.tsx";
import { listAddress, ListPages } from "../lists/list-filters.tsx";
import type { QueuedWork } from "./queued.ts";
import { itemStateNames, itemStateTones } from "./state-names.ts";

type Props = {
  /** The page's own address. */
  path: string;
  items: ImportedItem[];
  next: string | null;
  query: { before?: string; state?: ItemState };
  /** The import's. */
  state: ImportState;
  /** "episodes". */
  noun: string;
  work?: QueuedWork;
  /** The edit page of an imported item. */
  resultPath?: (result: string) => string;
  /** What an item with this title is called; by default its title. */
  nameOf?: (title: string) => string;
};

/** The states that items can have. One of a restore that fails pauses it, and waits. */
const shown = {
  import: ["failed", "done", "skipped", "waiting", "undone"],
  restore: ["done", "waiting"],
} as const satisfies Record<QueuedWork, ItemState[]>;

/** The items of an import, all or those in one state. */
export const ItemList = ({
  path,
  items,
  next,
  query,
  state,
  noun,
  work = "import",
  resultPath,
  nameOf,
}: Props) => (
  <section aria-labelledby="import-items" className="grid gap-4">
    <h2 id="import-items" className="text-lg font-semibold">
      {`All ${noun}`}
    </h2>
    <nav aria-label="Which are listed" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <FilterLink to={path} isCurrent={query.state === undefined}>
        All
      </FilterLink>
      {shown[work].map((each) => (
        <FilterLink key={each} to={listAddress(path, { state: each })} isCurrent={query.state === each}>
          {itemStateNames[each]}
        </FilterLink>
      ))}
    </nav>
    {items.length === 0 ? (
      <EmptyState title="None">{`Nothing in this ${work} has this status.`}</EmptyState>
    ) : (
      <ul className="border-t border-rule">
        {items.map((item) => (
          <Row key={item.id} item={item} state={state} resultPath={resultPath} nameOf={nameOf} />
        ))}
      </ul>
    )}
    <ListPages path={path} query={query} count={items.length} next={next} noun={noun} order="oldest-first" />
  </section>
);

const FilterLink = ({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) => (
  <Link
    to={to}
    preventScrollReset
    aria-current={isCurrent ? "true" : undefined}
    className={`inline-flex min-h-8 items-center underline-offset-8 ${isCurrent ? "font-semibold underline" : "text-muted hover:text-ink"}`}
  >
    {children}
  </Link>
);

type RowProps = { item: ImportedItem } & Pick<Props, "state" | "resultPath" | "nameOf">;

function Row({ item, state, resultPath, nameOf = (title) => title }: RowProps) {
  const { id, title, message, result, size, moved } = item;
  const isMoving = (item.state === "working" || item.state === "waiting") && moved > 0;
  const name = nameOf(title) || item.key;
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 border-b border-rule py-3 sm:gap-x-6">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium wrap-anywhere">
          {result !== null && resultPath ? (
            <Link to={resultPath(result)} className="link">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        {message && (
          <p
            className={`max-w-2xl text-sm wrap-anywhere ${item.state === "failed" ? "text-danger" : "text-muted"}`}
          >
            {message}
          </p>
        )}
        {isMoving && (
          <>
            <ProgressBar label={name} value={size > 0 ? Math.min(1, moved / size) : undefined} />
            <p className="text-sm text-muted figures">
              {`${formatSize(moved)}${size > 0 ? ` of ${formatSize(size)}` : ""}`}
            </p>
          </>
        )}
      </div>
      <div className="flex flex-col items-end gap-2 sm:flex-row sm:items-center sm:gap-3">
        <Badge tone={itemStateTones[item.state]}>{itemStateNames[item.state]}</Badge>
        {item.state === "failed" && state !== "cancelled" && (
          <ActionButton
            intent="retry"
            values={{ item: String(id) }}
            size="sm"
            aria-label={`Try again: ${name}`}
          >
            Try again
          </ActionButton>
        )}
      </div>
    </li>
  );
}
