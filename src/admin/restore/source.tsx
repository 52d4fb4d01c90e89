import { Navigate } from "react-router";
import { ApiError, api, ensureOk, readJson } from "#site/api.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { BadArchive, type Manifest } from "#worker/exports/contract.ts";
import { OBJECT_PART } from "#worker/restores/contract.ts";
import { formatSize } from "../files/format.ts";
import { ChooseFiles } from "../moving-in/choose-files.tsx";
import { PlanView } from "../moving-in/wizard/plan-view.tsx";
import { deleteUnlessStarted, startOnce } from "../moving-in/send-import.ts";
import type { Source } from "../moving-in/wizard/steps.tsx";
import { percentOf, type Tools } from "../moving-in/wizard/use-wizard.ts";
import { openArchiveOrFiles, type Archive, type FilesArchive } from "./archive.ts";
import { restores } from "./restores.ts";

type Plan = { name: string; archive: Archive; files: FilesArchive[] };

/** From the file to the running restore. Nothing is sent before the whole archive was compared with its manifest. */
export const archiveSource: Source<File[], Plan, null, { id: number }> = {
  begin: percentOf("Checking the archive", 0),
  work: "restore",
  leaving: "Nothing has been restored yet. The restore starts once the archive is uploaded.",
  cancelled: "The upload was stopped. Nothing was restored.",
  wordsOf: (error) => {
    if (error instanceof BadArchive || error instanceof ApiError) return error.message;
    console.error(error);
    return "The file can’t be read.";
  },
  async read(chosen, { show, onDiscard, signal }) {
    const { name, archive, files } = await openChosen(chosen, onDiscard);
    const bytes = bytesOf(archive.manifest);
    let read = 0;
    await archive.check((size) => {
      signal.throwIfAborted();
      read += size;
      show(percentOf("Checking the archive", bytes === 0 ? 1 : read / bytes));
    });
    return { name, archive, files };
  },
  run: sendArchive,
  choose: ({ refusal, onRead }) => (
    <ChooseFiles
      label="Archive"
      words="Choose or drop the zips"
      accept=".zip,application/zip"
      help="The zip from Settings ▸ Export of a Rostrum site, and those with its files if you have them. They are read in your browser."
      error={refusal?.error ?? null}
      multiple
      onChoose={onRead}
    />
  ),
  plan: ({ plan, error, onRun, onCancel }) => (
    <ArchivePlan {...plan} error={error} onRun={() => onRun(null)} onCancel={onCancel} />
  ),
  report: ({ report }) => <Navigate to={`${restores.path}/${report.id}`} replace />,
};

/**
 * The archive among these files, and the zips with its files.
 * @throws {BadArchive}
 */
async function openChosen(chosen: File[], onDiscard: (close: () => void) => void) {
  const files: FilesArchive[] = [];
  let found: { name: string; archive: Archive } | null = null;
  for (const file of chosen) {
    const zip = await openArchiveOrFiles(file);
    onDiscard(() => void zip.close());
    if ("read" in zip) files.push(zip);
    else if (found) throw new BadArchive("Choose one archive of a site, and the zips with its files.");
    else found = { name: file.name, archive: zip };
  }
  if (!found) throw new BadArchive("These zips have only files. Choose the zip from Settings ▸ Export, too.");
  return { ...found, files };
}

const bytesOf = ({ tables, objects }: Manifest) =>
  [...tables, objects].reduce((sum, { bytes }) => sum + bytes, 0);

/** Sends the pieces and starts. A restore that could not be started is deleted. */
async function sendArchive({ name, archive, files }: Plan, _: null, tools: Tools<Plan>) {
  const { until, show, signal } = tools;
  const { manifest } = archive;
  const { id } = await until(() => readJson(api.restores.$post({ json: { source: name, manifest } })));
  const param = { id: String(id) };
  try {
    const bytes = bytesOf(manifest);
    let sent = 0;
    for await (const piece of archive.pieces()) {
      await until(() => readJson(api.restores[":id"].pieces.$post({ param, json: piece })));
      sent += new Blob([piece.text]).size;
      show(percentOf("Uploading", bytes === 0 ? 1 : sent / bytes));
    }
    await sendFiles(param, files, tools);
    signal.throwIfAborted();
    await until(() => startOnce(param, () => ensureOk(api.restores[":id"].start.$post({ param }))));
    return { id };
  } catch (error) {
    if (!(await deleteUnlessStarted(param))) return { id };
    throw error;
  }
}

/** Sends the files that the site does not have, in parts. */
async function sendFiles(param: { id: string }, files: FilesArchive[], { until, show }: Tools<Plan>) {
  const total = files.flatMap(({ manifest }) => manifest.objects).reduce((sum, { bytes }) => sum + bytes, 0);
  const one = api.restores[":id"];
  let sent = 0;
  for (const { manifest, read } of files) {
    for (const object of manifest.objects) {
      const { upload } = await until(() => readJson(one.objects.$post({ param, json: object })));
      if (upload !== null) {
        const blob = await read(object);
        const etags: string[] = [];
        for (let at = 0; at === 0 || at < blob.size; at += OBJECT_PART) {
          const query = new URLSearchParams({ key: object.key, upload });
          const address = `/api/admin/restores/${param.id}/parts/${etags.length + 1}?${query}`;
          const body = blob.slice(at, at + OBJECT_PART);
          const { etag } = await until(() => putPart(address, body));
          etags.push(etag);
          show(percentOf("Uploading the files", (sent + Math.min(blob.size, at + OBJECT_PART)) / total));
        }
        await until(() => ensureOk(one.objects.complete.$post({ param, json: { object, upload, etags } })));
      }
      sent += object.bytes;
    }
  }
}

const putPart = (address: string, body: Blob) =>
  readJson<{ etag: string }>(fetch(address, { method: "PUT", body }));

/** What the owner looks for in an archive, by table. */
const COUNTED: [label: string, table: string][] = [
  ["Articles", "articles"],
  ["Episodes", "episodes"],
  ["Letters", "letters"],
  ["Subscribers", "subscribers"],
  ["Comments", "comments"],
  ["Enquiries", "enquiries"],
  ["Files", "files"],
  ["Accounts", "users"],
];

type PlanProps = Plan & { error: string | null; onRun: () => void; onCancel: () => void };

function ArchivePlan({ name, archive: { manifest }, files, error, onRun, onCancel }: PlanProps) {
  const { tables, objects, exportedAt, site } = manifest;
  const rowsOf = (wanted: string) => tables.find(({ table }) => table === wanted)?.rows ?? 0;
  const included = files.reduce((sum, each) => sum + each.manifest.objects.length, 0);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    <PlanView
      title={manifest.name || name}
      about={
        <>
          <span>{`From ${site}, `}</span>
          <DateTime at={exportedAt} format={formatDateTime} />
        </>
      }
      figures={COUNTED.map(([label, table]) => [label, rowsOf(table)])}
      error={error}
      action="Restore this site"
      onRun={onRun}
      another="Choose another archive"
      onCancel={onCancel}
      sections={null}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm">
        <li>
          {`${rows.toLocaleString("en")} rows in ${tables.length} tables, ${formatSize(bytesOf(manifest))}. Each has the hash that the archive states.`}
        </li>
        <li>
          {`${objects.rows.toLocaleString("en")} files (${formatSize(objects.total)}), ${included.toLocaleString("en")} of them in the zips that you chose. The restore compares all with those in this site’s bucket, and lists what is missing.`}
        </li>
        <li>
          Accounts come without passwords: in Users, you send each a link to choose one. Yours keeps its
          password; passkeys must be added again.
        </li>
        <li>A letter that was being sent is paused. One whose time has passed becomes a draft.</li>
      </ul>
    </PlanView>
  );
}
