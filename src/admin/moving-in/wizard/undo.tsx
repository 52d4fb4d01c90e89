import { useNavigation } from "react-router";
import { counted } from "#site/ui/format.ts";
import type { UndoPlan } from "#worker/imports/contract.ts";
import { ConfirmAction } from "../../lists/confirm-action.tsx";

type Props = {
  undo: UndoPlan;
  /** What stayed is in the report of an undo. */
  isUndone: boolean;
  /** The noun of one item: "article". */
  one: string;
  values?: Record<string, string>;
};

const questionOf = (one: string) =>
  [
    "Everything that this import added and that wasn’t changed since is deleted, with its versions and old addresses.",
    "What was here before stays.",
    one === "episode" ? "Articles that were joined with its episodes stay drafts: publish them again." : "",
    "You can import it again.",
  ]
    .filter(Boolean)
    .join(" ");

/** Deletes what an import created, except items that were changed since, after one confirmation. */
export function Undo({ undo: { count, changed }, isUndone, one, values }: Props) {
  const isBusy = useNavigation().state === "submitting";
  if (count === 0 && (isUndone || changed.count === 0)) return null;
  const others = changed.count - changed.titles.length;
  return (
    <section aria-labelledby="undo" className="grid max-w-3xl justify-items-start gap-3">
      <h2 id="undo" className="text-lg font-semibold">
        Undo this import
      </h2>
      {changed.count > 0 && (
        <>
          <p>{`${counted(changed.count, one)} changed or commented on since the import ${changed.count === 1 ? "stays" : "stay"}:`}</p>
          <ul className="list-disc pl-5 text-sm text-muted">
            {changed.titles.map((title, at) => (
              <li key={at} className="wrap-anywhere">
                {title || "Untitled"}
              </li>
            ))}
            {others > 0 && <li>{`${others.toLocaleString("en")} more`}</li>}
          </ul>
        </>
      )}
      {count > 0 ? (
        <ConfirmAction
          intent="undo"
          label={`Delete ${counted(count, one)}`}
          title="Undo this import?"
          confirm={`Delete ${counted(count, one)}`}
          tone="danger"
          values={values}
          busy={isBusy}
        >
          {questionOf(one)}
        </ConfirmAction>
      ) : (
        <p className="text-muted">Nothing else of it is left to delete.</p>
      )}
    </section>
  );
}
