import { useState, type FormEvent } from "react";
import { Navigate } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { ChooseFiles } from "../choose-files.tsx";
import { movedArticles } from "../queued.ts";
import { StepsOfFile } from "../subscribers/steps.tsx";
import { Steps, type Source } from "../wizard/steps.tsx";
import type { Refusal } from "../wizard/use-wizard.ts";
import { ExportPlanView } from "./plan-view.tsx";
import { exportWork, type Chosen, type ExportChoice, type ExportPlan, type SentImport } from "./work.ts";

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
  /** Whether the current user may import subscribers. */
  mayImportSubscribers: boolean;
};

/** From an export to the running import. The files are read in the browser; the chosen items are sent in parts. */
export function ElsewhereSteps({ categories, mayImportSubscribers }: Props) {
  const [list, setList] = useState<File | null>(null);
  return <Steps source={exportSource(categories, { list, setList, mayImportSubscribers })} />;
}

type ListOfExport = Pick<Props, "mayImportSubscribers"> & {
  /** The list of subscribers that is looked at. */
  list: File | null;
  setList: (list: File | null) => void;
};

const exportSource = (
  categories: Props["categories"],
  { list, setList, mayImportSubscribers }: ListOfExport,
): Source<Chosen, ExportPlan, ExportChoice, SentImport> => ({
  ...exportWork(categories),
  leaving: "Nothing has been imported yet. The import starts once everything is uploaded.",
  choose: (props) => <ChooseExport {...props} />,
  plan: ({ plan, error, onRun, onCancel }) =>
    list ? (
      <StepsOfFile
        file={list}
        onLeave={() => setList(null)}
        waiting={<p role="status">Reading the subscriber list</p>}
      />
    ) : (
      <ExportPlanView
        {...plan}
        error={error}
        onList={mayImportSubscribers ? setList : null}
        onRun={onRun}
        onCancel={onCancel}
      />
    ),
  // Replaces the leave guard, which would block a navigation that starts beside it. The state must be the same object
  // at each render: another one would navigate again.
  report: ({ report }) => <Navigate to={`${movedArticles.path}/${report.id}`} state={report} />,
});

type ChooseProps = { refusal: Refusal<Chosen> | null; onRead: (chosen: Chosen) => void };

function ChooseExport({ refusal, onRead }: ChooseProps) {
  const site = typeof refusal?.input === "string" ? refusal : null;
  return (
    <div className="grid gap-8">
      <ChooseFiles
        label="Export"
        words="Choose the export, or drop it here"
        accept=".json,.zip,.xml,.csv,.atom,.rss,application/json,application/zip,text/xml"
        help={HELP}
        error={site ? null : (refusal?.error ?? null)}
        multiple
        onChoose={onRead}
      />
      <SiteForm
        address={site ? String(site.input) : undefined}
        refusal={site?.error ?? null}
        onRead={onRead}
      />
    </div>
  );
}

type SiteFormProps = { address?: string; refusal: string | null; onRead: (address: string) => void };

/** For a site that has no export. */
function SiteForm({ address, refusal, onRead }: SiteFormProps) {
  const [error, setError] = useState(refusal);
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
        defaultValue={address}
        error={error}
        help="If you have no export. A WordPress site is read with all its public posts, any other site by its feed, which often has only the newest posts."
      />
      <div>
        <Button type="submit">Read the site</Button>
      </div>
    </form>
  );
}
