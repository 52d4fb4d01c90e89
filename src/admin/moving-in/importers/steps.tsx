import { useState, type FormEvent } from "react";
import { Navigate } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { counted } from "#site/ui/format.ts";
import { ProgressBar } from "#site/ui/progress.tsx";
import { ChooseFiles } from "../choose-files.tsx";
import { LeaveQuestion } from "../../form/leave-question.tsx";
import { StepsOfFile } from "../subscribers/steps.tsx";
import { ELSEWHERE } from "./coming-names.ts";
import { PlanView } from "./plan-view.tsx";
import { useElsewhere } from "./use-elsewhere.ts";

const HELP = [
  "Ghost: the JSON from Settings ▸ Import/Export, plus the members’ CSV if you want them.",
  "Substack: the zip from Settings ▸ Exports.",
  "WordPress: the XML from Tools ▸ Export, all files.",
  "Squarespace: the XML from Settings ▸ Import & export.",
  "Medium: the zip from Settings ▸ Security and apps.",
  "Blogger: the feed.atom, or Google’s zip, from Settings ▸ Back up content.",
  "beehiiv: the CSV of your posts.",
  "Buttondown: the zip from Settings ▸ Exports.",
  "Another Rostrum: the zip from Settings ▸ Export.",
  "Files are read in your browser.",
].join(" ");

type Props = {
  categories: { id: number; name: string }[];
  /** Whether who is signed in may import subscribers. */
  mayImportSubscribers: boolean;
};

/** From an export to the import that runs. The files are read in the browser; what was chosen is sent part by part. */
export function ElsewhereSteps({ categories, mayImportSubscribers }: Props) {
  const { state, choose, chooseSite, start, cancel, clear } = useElsewhere(categories);
  const [list, setList] = useState<File | null>(null);
  switch (state.is) {
    case "choosing":
      return (
        <div className="grid gap-8">
          <ChooseFiles
            label="Export"
            words="Choose the export, or drop it here"
            accept=".json,.zip,.xml,.csv,.atom,.rss,application/json,application/zip,text/xml"
            help={HELP}
            error={state.error}
            multiple
            onChoose={(files) => void choose(files)}
          />
          <SiteForm site={state.site} onRead={(address) => void chooseSite(address)} />
        </div>
      );
    case "fetching":
      return (
        <div className="grid max-w-3xl gap-4">
          <p role="status">{`Reading the site: ${counted(state.posts, "post")}`}</p>
          <div>
            <Button onClick={clear}>Cancel</Button>
          </div>
        </div>
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

type SiteFormProps = { site?: { address: string; error: string }; onRead: (address: string) => void };

/** For a site that has no export. */
function SiteForm({ site, onRead }: SiteFormProps) {
  const [error, setError] = useState(site?.error ?? null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem("address") as HTMLInputElement;
    const isMissing = field.value.trim() === "";
    setError(isMissing ? "Enter the address of the site, such as https://blog.example.com." : null);
    if (isMissing) field.focus();
    else onRead(field.value);
  };
  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-4">
      <TextField
        label="Or your site’s address"
        name="address"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://blog.example.com"
        maxLength={2000}
        defaultValue={site?.address}
        error={error}
        help="If you have no export. A WordPress site is read with all its public posts, any other site by its feed, which often has only the newest posts."
      />
      <div>
        <Button type="submit">Read the site</Button>
      </div>
    </form>
  );
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
