import { useNavigation } from "react-router";
import { ButtonRow } from "#site/ui/button.tsx";
import type { ImportedItem, ImportProgress, ItemListQuery } from "#worker/imports/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { ItemList } from "./item-list.tsx";
import { Progress } from "./progress.tsx";
import { useImportProgress } from "./use-import-progress.ts";

type Props = {
  /** The page's own address, whose action is `actOnImport`. */
  path: string;
  progress: ImportProgress;
  items: { items: ImportedItem[]; next: string | null };
  query: ItemListQuery;
  /** What its items are: "episodes". */
  noun: string;
  /** Where what became of an item is edited. */
  resultPath?: (result: string) => string;
};

/** An import that was started, with what can be done with it. The page may be closed and opened again at any time. */
export function ImportPanel({ path, progress: loaded, items, query, noun, resultPath }: Props) {
  const progress = useImportProgress(loaded);
  const { state, counts } = progress;
  const isBusy = useNavigation().state === "submitting";
  const isOpen = state === "running" || state === "paused";
  return (
    <div className="grid gap-8">
      <div className="grid gap-4">
        <Progress progress={progress} noun={noun} />
        <ButtonRow>
          {state === "running" && <ActionButton intent="pause">Pause</ActionButton>}
          {state === "paused" && (
            <ActionButton intent="resume" tone="primary">
              Resume
            </ActionButton>
          )}
          {counts.failed > 0 && state !== "cancelled" && (
            <ActionButton intent="retry">{`Retry failed (${counts.failed.toLocaleString("en")})`}</ActionButton>
          )}
          {isOpen && (
            <ConfirmAction
              intent="cancel"
              label="Cancel the import"
              title="Cancel this import?"
              confirm="Cancel the import"
              busy={isBusy}
            >
              Anything already imported stays; the other <span>{noun}</span> aren’t imported. Import again
              later to add only what’s missing.
            </ConfirmAction>
          )}
        </ButtonRow>
        {state === "running" && (
          <p className="text-sm text-muted">You can close this page: the import continues without it.</p>
        )}
      </div>
      <ItemList {...items} path={path} query={query} state={state} noun={noun} resultPath={resultPath} />
    </div>
  );
}
