import { useState } from "react";
import { Navigate } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { ChooseFiles } from "../../imports/choose-files.tsx";
import { LeaveQuestion } from "../../leave-question.tsx";
import { StepsOfFile } from "../../newsletter/subscribers-import/steps.tsx";
import { ELSEWHERE } from "./names.ts";
import { PlanView } from "./plan-view.tsx";
import { useElsewhere } from "./use-elsewhere.ts";

const HELP = [
  "Ghost: the JSON from Settings ▸ Import/Export, plus the members’ CSV if you want them.",
  "Substack: the zip from Settings ▸ Exports.",
  "WordPress: the XML from Tools ▸ Export, all files; or what its API shows at /wp-json/wp/v2/posts?per_page=100&_embed.",
  "Squarespace: the XML from Settings ▸ Import & export.",
  "Medium: the zip from Settings ▸ Security and apps.",
  "Blogger: the feed.atom, or Google’s zip, from Settings ▸ Back up content.",
  "beehiiv: the CSV of your posts.",
  "Buttondown: the zip from Settings ▸ Exports.",
  "Another Rostrum: the zip from Settings ▸ Export.",
  "Any other site: its feed, saved as a file.",
  "Files are read in your browser.",
].join(" ");

type Props = {
  categories: { id: number; name: string }[];
  /** Whether who is signed in may import subscribers. */
  mayImportSubscribers: boolean;
};

/** From an export to the import that runs. The files are read in the browser; what was chosen is sent part by part. */
export function ElsewhereSteps({ categories, mayImportSubscribers }: Props) {
  const { state, choose, start, cancel, clear } = useElsewhere(categories);
  const [list, setList] = useState<File | null>(null);
  switch (state.is) {
    case "choosing":
      return (
        <ChooseFiles
          label="Export"
          words="Choose the export, or drop it here"
          accept=".json,.zip,.xml,.csv,.atom,.rss,application/json,application/zip,text/xml"
          help={HELP}
          error={state.error}
          multiple
          onChoose={(files) => void choose(files)}
        />
      );
    case "reading":
      return <Working label="Reading the export" part={state.part} onCancel={clear} />;
    case "sending":
      return (
        <Working label="Uploading your posts" part={state.part} waiting={state.waiting} onCancel={cancel}>
          Nothing has been imported yet. The import starts once everything is uploaded.
        </Working>
      );
    // Rendered in place of the question, which would hold a navigation that began beside it. The state is one and the
    // same object: another at each render would navigate again.
    case "sent":
      return <Navigate to={`${ELSEWHERE}/${state.id}`} state={state} />;
    case "planned":
      if (list)
        return (
          <StepsOfFile
            file={list}
            onLeave={() => setList(null)}
            waiting={<p role="status">Reading the subscriber list</p>}
          />
        );
      return (
        <PlanView
          {...state}
          onList={mayImportSubscribers ? setList : null}
          onStart={(choice, siteUrl) => void start(state.source, state.plan, choice, siteUrl)}
          onCancel={clear}
        />
      );
  }
}

type WorkingProps = {
  label: string;
  part: number;
  waiting?: string | null;
  onCancel: () => void;
  /** Asked before somebody leaves. */
  children?: string;
};

const Working = ({ label, part, waiting, onCancel, children }: WorkingProps) => (
  <div className="grid max-w-3xl gap-4">
    <ProgressBar value={part} label={label} />
    <p className="figures">{`${label}: ${Math.floor(part * 100)} %`}</p>
    {/* Each quarter is read out. */}
    <p role="status" className="sr-only">
      {`${label}: ${Math.floor(part * 4) * 25} %`}
    </p>
    <p role="alert" className="font-medium text-danger empty:hidden">
      {waiting}
    </p>
    <div>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
    {children && (
      <LeaveQuestion title="Stop the import?" confirm="Stop and leave">
        {children}
      </LeaveQuestion>
    )}
  </div>
);
