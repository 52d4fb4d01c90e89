import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { counted } from "#site/ui/format.ts";
import type { Category } from "#worker/articles/contract.ts";
import { ChooseFiles } from "../choose-files.tsx";
import { asDraft, missingCategories, outcomeOf, statusOfNew, type BatchRow, type Outcome } from "./items.ts";
import { BatchRows } from "./rows.tsx";
import { useBatch } from "./use-batch.ts";
import { Working } from "./working.tsx";

const HELP =
  "An article with the same title is updated. All others are added as they were: drafts stay drafts, and what doesn’t say that it was public is a draft. " +
  "Front matter may be YAML, TOML or JSON, and the files may be in a zip. Also read: draft, published, slug, excerpt, category, tags, date, original_publish_date, scheduled_for, meta_title, meta_description, meta_keywords, source_url.";

/** From files to what became of each article. The files are read in the browser, and the articles are sent part by part. */
export function BatchSteps({ categories }: { categories: Category[] }) {
  const { state, choose, run, cancel, clear } = useBatch(categories);
  switch (state.is) {
    case "choosing":
      return (
        <ChooseFiles
          label="Markdown or JSON files"
          words="Choose files, or drop them here"
          accept=".md,.markdown,.mdx,.txt,.json,.zip,text/markdown,application/json,application/zip"
          help={HELP}
          error={state.error}
          multiple
          onChoose={(files) => void choose(files)}
        />
      );
    case "working":
      return <Working {...state} onCancel={cancel} />;
    case "compared":
      return (
        <Compared
          rows={state.rows}
          categories={categories}
          onRun={(rows, createsCategories) => void run(rows, createsCategories)}
          onCancel={clear}
        />
      );
    case "done":
      return (
        <div className="grid gap-6">
          <StepHeading>{state.stopped ? "The update is not complete" : "The update is complete"}</StepHeading>
          {state.stopped && (
            <p role="alert" className="border-l-4 border-danger pl-3">
              {`${state.stopped} What was written is saved. Choose the same files again to continue.`}
            </p>
          )}
          <BatchRows rows={state.rows} isDone categories={categories} />
          <ButtonRow>
            <ButtonLink to="/admin/articles" tone="primary">
              Go to articles
            </ButtonLink>
            <Button onClick={clear}>Choose other files</Button>
          </ButtonRow>
        </div>
      );
  }
}

type ComparedProps = {
  rows: BatchRow[];
  categories: Category[];
  onRun: (rows: BatchRow[], createsCategories: boolean) => void;
  onCancel: () => void;
};

function Compared({ rows: compared, categories, onRun, onCancel }: ComparedProps) {
  const [areDrafts, setAreDrafts] = useState(false);
  const [createsCategories, setCreatesCategories] = useState(true);
  const rows = areDrafts ? compared.map(asDraft) : compared;
  const countOf = (outcome: Outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  const [updates, inserts, refused] = [countOf("update"), countOf("insert"), countOf("refused")];
  const isIdle = updates + inserts === 0;
  return (
    <div className="grid gap-6">
      <StepHeading>{isIdle ? "There is nothing to write" : "Nothing is written yet"}</StepHeading>
      <p className="-mt-4 text-muted">
        <span>{counted(updates, "article")}</span> to update, <span>{inserts}</span> to insert,{" "}
        <span>{countOf("none")}</span> without a change.
        {refused > 0 && (
          <span>{` ${refused} can’t be imported and ${refused === 1 ? "is" : "are"} left out.`}</span>
        )}
      </p>
      {inserts > 0 && (
        <div className="grid gap-3">
          <p>{stateWords(rows)}</p>
          <Checkbox
            label="Insert all of them as drafts"
            help="They keep their dates for when you publish them."
            checked={areDrafts}
            onChange={({ currentTarget }) => setAreDrafts(currentTarget.checked)}
          />
        </div>
      )}
      <MissingCategories rows={rows} isChecked={createsCategories} onChange={setCreatesCategories} />
      <ButtonRow>
        {!isIdle && (
          <Button tone="primary" onClick={() => onRun(rows, createsCategories)}>
            {labelOf(updates, inserts)}
          </Button>
        )}
        <Button onClick={onCancel}>Choose other files</Button>
      </ButtonRow>
      <BatchRows rows={rows} categories={categories} />
    </div>
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

/** Of the new articles, how many become what. */
function stateWords(rows: BatchRow[]) {
  const states = rows.filter((row) => outcomeOf(row) === "insert").map(statusOfNew);
  const words = (["published", "scheduled", "draft", "archived"] as const).flatMap((status) => {
    const count = states.filter((each) => each === status).length;
    if (count === 0) return [];
    return status === "draft" ? counted(count, "draft") : `${count} ${status}`;
  });
  return `New: ${words.join(", ")}.`;
}

function labelOf(updates: number, inserts: number) {
  if (inserts === 0) return `Update ${counted(updates, "article")}`;
  if (updates === 0) return `Insert ${counted(inserts, "article")}`;
  return `Update ${counted(updates, "article")} and insert ${inserts}`;
}

/** Takes the focus, since what was pressed is gone. */
function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
      {children}
    </h2>
  );
}
