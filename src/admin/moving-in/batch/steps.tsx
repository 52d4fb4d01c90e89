import { useState } from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { counted } from "#site/ui/format.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { Category } from "#worker/articles/contract.ts";
import { ChooseFiles } from "../choose-files.tsx";
import { countsByStatus, PlanView, StepHeading } from "../wizard/plan-view.tsx";
import { Steps, type Source } from "../wizard/steps.tsx";
import { asDraft, missingCategories, outcomeOf, statusOfNew, type BatchRow, type Outcome } from "./items.ts";
import { BatchRows } from "./rows.tsx";
import { batchWork, type BatchChoice, type BatchReport } from "./work.ts";

const HELP =
  "An article with the same title is updated. All others are added as they were: drafts stay drafts, and what doesn’t say that it was public is a draft. " +
  "Front matter may be YAML, TOML or JSON, and the files may be in a zip. Also read: draft, published, slug, excerpt, category, tags, date, original_publish_date, scheduled_for, meta_title, meta_description, meta_keywords, source_url.";

/**
 * From the files to the result of each article. The files are read in the browser, and the articles are sent in parts.
 */
export function BatchSteps({ categories }: { categories: Category[] }) {
  const { timeZone } = useLocale();
  return <Steps source={batchSource(categories, timeZone)} />;
}

const batchSource = (
  categories: Category[],
  timeZone: string,
): Source<File[], BatchRow[], BatchChoice, BatchReport> => ({
  ...batchWork(categories, timeZone),
  leaving:
    "What has been written is saved. Choose the same files again to continue: nothing is written twice.",
  choose: ({ refusal, onRead }) => (
    <ChooseFiles
      label="Markdown or JSON files"
      words="Choose files, or drop them here"
      accept=".md,.markdown,.mdx,.txt,.json,.zip,text/markdown,application/json,application/zip"
      help={HELP}
      error={refusal?.error ?? null}
      multiple
      onChoose={onRead}
    />
  ),
  plan: ({ plan, ...props }) => <Compared rows={plan} categories={categories} {...props} />,
  report: ({ report: { rows, stopped }, onAgain }) => (
    <div className="grid gap-6">
      <StepHeading>{stopped ? "The update is not complete" : "The update is complete"}</StepHeading>
      {stopped && (
        <p role="alert" className="border-l-4 border-danger pl-3">
          {`${stopped} What was written is saved. Choose the same files again to continue.`}
        </p>
      )}
      <BatchRows rows={rows} isDone categories={categories} />
      <ButtonRow>
        <ButtonLink to="/admin/articles" tone="primary">
          Go to articles
        </ButtonLink>
        <Button onClick={onAgain}>Choose other files</Button>
      </ButtonRow>
    </div>
  ),
});

type ComparedProps = {
  rows: BatchRow[];
  categories: Category[];
  error: string | null;
  onRun: (choice: BatchChoice) => void;
  onCancel: () => void;
};

function Compared({ rows: compared, categories, error, onRun, onCancel }: ComparedProps) {
  const [areDrafts, setAreDrafts] = useState(false);
  const [createsCategories, setCreatesCategories] = useState(true);
  const rows = areDrafts ? compared.map(asDraft) : compared;
  const countOf = (outcome: Outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  const [updates, inserts, refused] = [countOf("update"), countOf("insert"), countOf("refused")];
  const isIdle = updates + inserts === 0;
  return (
    <PlanView
      title={isIdle ? "There is nothing to write" : "Nothing is written yet"}
      about={
        `${counted(updates, "article")} to update, ${inserts} to insert, ${countOf("none")} without a change.` +
        (refused > 0 ? ` ${refused} can’t be imported and ${refused === 1 ? "is" : "are"} left out.` : "")
      }
      error={error}
      action={isIdle ? null : labelOf(updates, inserts)}
      onRun={() => onRun({ rows, createsCategories })}
      another="Choose other files"
      onCancel={onCancel}
      sections={<BatchRows rows={rows} categories={categories} />}
    >
      {inserts > 0 && (
        <div className="grid gap-3">
          <p>{`New: ${countsByStatus(rows.filter((row) => outcomeOf(row) === "insert").map(statusOfNew))}.`}</p>
          <Checkbox
            label="Insert all of them as drafts"
            help="They keep their dates for when you publish them."
            checked={areDrafts}
            onChange={({ currentTarget }) => setAreDrafts(currentTarget.checked)}
          />
        </div>
      )}
      <MissingCategories rows={rows} isChecked={createsCategories} onChange={setCreatesCategories} />
    </PlanView>
  );
}

type MissingProps = { rows: BatchRow[]; isChecked: boolean; onChange: (isChecked: boolean) => void };

/** Categories that articles name and that do not exist here are created, or left out. */
function MissingCategories({ rows, isChecked, onChange }: MissingProps) {
  const missing = missingCategories(rows);
  if (missing.length === 0) return null;
  const names = missing.map(({ name, articles }) => `“${name}” (${counted(articles, "article")})`).join(", ");
  return (
    <Checkbox
      label={
        missing.length === 1
          ? "Create the category that doesn’t exist here"
          : `Create the ${missing.length} categories that don’t exist here`
      }
      help={`${names}. ${isChecked ? "Check the spelling: each becomes a category of this site." : "New articles come without it, and articles that are here keep their category."}`}
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      className="max-w-3xl wrap-anywhere"
    />
  );
}

function labelOf(updates: number, inserts: number) {
  if (inserts === 0) return `Update ${counted(updates, "article")}`;
  if (updates === 0) return `Insert ${counted(inserts, "article")}`;
  return `Update ${counted(updates, "article")} and insert ${inserts}`;
}
