import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import type { ImportedItem, ImportProgress, ItemListQuery, UndoPlan } from "#worker/imports/contract.ts";
import { ItemList } from "./item-list.tsx";
import type { QueuedSource } from "./queued.ts";
import { importStateTones, stateNameOf } from "./state-names.ts";
import { useImportProgress } from "./use-import-progress.ts";
import { RunView } from "./wizard/run-view.tsx";
import { Undo } from "./wizard/undo.tsx";

type Props = {
  /** The page's action is `actOnImport`. */
  source: QueuedSource;
  title: string;
  about?: string;
  progress: ImportProgress;
  items: { items: ImportedItem[]; next: string | null };
  query: ItemListQuery;
  undo: UndoPlan;
  /** Above all of it. */
  notice?: ReactNode;
  /** Shown before the import is started. */
  open: ReactNode;
  /** Below the items. */
  children?: ReactNode;
};

/** An import on the queue: its run, and then its report. The page may be closed and opened again at any time. */
export const ImportPage = ({ source, title, about, progress, notice, open, children, ...list }: Props) => (
  <>
    <Link to={source.path} className="link mb-4 inline-block text-sm">
      {source.title}
    </Link>
    <header className="mb-6 grid gap-1">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
        <Badge tone={importStateTones[progress.state]}>{stateNameOf(progress)}</Badge>
      </div>
      {about && <p className="text-sm text-muted wrap-anywhere">{about}</p>}
    </header>
    {notice}
    <div className="grid gap-10">
      {progress.state === "open" ? open : <Run source={source} progress={progress} {...list} />}
      {children}
    </div>
  </>
);

type RunProps = Pick<Props, "source" | "progress" | "items" | "query" | "undo">;

function Run({ source: { path, one, many, resultPath }, progress: loaded, items, query, undo }: RunProps) {
  const progress = useImportProgress(loaded);
  const { id, state } = progress;
  return (
    <div className="grid gap-8">
      <div className="grid gap-4">
        <RunView progress={progress} noun={many}>
          Anything already imported stays; the other <span>{many}</span> aren’t imported. Import again later
          to add only what’s missing.
        </RunView>
      </div>
      <ItemList
        {...items}
        path={`${path}/${id}`}
        query={query}
        state={state}
        noun={many}
        resultPath={resultPath}
      />
      {(state === "done" || state === "cancelled") && (
        <Undo undo={undo} isUndone={progress.undoneAt !== null} one={one} />
      )}
    </div>
  );
}
