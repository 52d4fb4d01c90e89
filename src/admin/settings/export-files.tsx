import { useState, type MouseEvent } from "react";
import { ApiError, api, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { FILES_CHANGED } from "#worker/exports/contract.ts";
import { formatSize } from "../files/format.ts";
import { FormSection } from "../form/section.tsx";
import { groupsOf, makeFilesZip } from "./make-files-zip.ts";
import { MakeZip } from "./make-zip.tsx";

type Parts = Awaited<ReturnType<typeof read>>;
const read = () => readJson(api.export.files.$get());

type Props = {
  isFree: boolean;
  site: string;
};

/** The parts in which the files themselves are downloaded, listed on request since that reads the bucket. */
export function ExportFiles({ isFree, site }: Props) {
  const [parts, setParts] = useState<Parts | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const list = async () => {
    setBusy(true);
    try {
      const listed = await read();
      setError(null);
      return listed;
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : "The connection was lost. Try again.");
      return null;
    } finally {
      setBusy(false);
    }
  };
  const show = async () => {
    const listed = await list();
    if (listed) setParts(listed);
  };
  // A refused download would leave the page for the message.
  const download = async (event: MouseEvent<HTMLAnchorElement>, number: number) => {
    event.preventDefault();
    const listed = await list();
    if (!listed) return;
    if (listed.set === parts?.set) return location.assign(addressOf(number, listed));
    setError(FILES_CHANGED);
  };
  return (
    <FormSection
      title="Files"
      help={`Audio, pictures and documents, in zips of at most ${isFree ? "25 files" : "2 GB"}. A download that breaks off continues where it stopped.`}
    >
      {parts !== null && <PartList {...parts} site={site} onDownload={download} />}
      <p role="alert" className="font-medium text-danger empty:hidden">
        {error}
      </p>
      <div>
        <Button onClick={() => void show()} busy={isBusy}>
          {parts === null ? "List the downloads" : "List them again"}
        </Button>
      </div>
    </FormSection>
  );
}

type PartListProps = Parts & {
  site: string;
  onDownload: (event: MouseEvent<HTMLAnchorElement>, number: number) => Promise<void>;
};

/** With a permit of its list, by which a browser may continue the download for an hour. */
const addressOf = (number: number, { set, permit }: Pick<Parts, "set" | "permit">) =>
  `/api/admin/export/files/${number}?${new URLSearchParams({ set, permit })}`;

function PartList({ set, permit, items, unread, site, onDownload }: PartListProps) {
  const groups = groupsOf(unread);
  const of = items.length + groups.length;
  const { hostname } = new URL(site);
  return (
    <div className="grid gap-4">
      <p role="status">{of === 0 ? "This site has no files." : `${counted(of, "download")}:`}</p>
      {items.length > 0 && (
        <ul className="grid gap-2">
          {items.map(({ number, files, bytes }) => (
            <li key={number} className="figures">
              <a
                href={addressOf(number, { set, permit })}
                onClick={(event) => void onDownload(event, number)}
                className="link"
              >
                {`Part ${number} of ${of}`}
              </a>
              <span>{`, ${counted(files, "file")}, ${formatSize(bytes)}`}</span>
            </li>
          ))}
        </ul>
      )}
      {groups.length > 0 && (
        <>
          <p className="max-w-2xl text-sm text-muted">
            The free plan has no time to read new files, and those larger than 2 MB. Your browser makes their
            zips:
          </p>
          <ul className="border-t border-rule">
            {groups.map((files, index) => {
              const part = items.length + index + 1;
              const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
              return (
                // Another list has other parts.
                <li key={`${set}-${part}`} className="grid gap-3 border-b border-rule py-4">
                  <div className="grid gap-1">
                    <p className="figures">{`Part ${part} of ${of}, ${counted(files.length, "file")}, ${formatSize(bytes)}`}</p>
                    <p className="max-w-2xl text-sm text-muted wrap-anywhere">
                      {namesOf(files.map(({ key }) => key))}
                    </p>
                  </div>
                  <MakeZip
                    label={`Make part ${part}`}
                    again={`Make part ${part} again`}
                    progress="Reading the files"
                    fileName={`${hostname}-files-${part}.zip`}
                    make={(tools) => makeFilesZip({ files, site, part, of }, tools)}
                  />
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

const MOST_NAMES = 3;

/** "a.mp3, b.mp3 and 4 more"; a picture and the copies of it once. */
function namesOf(keys: string[]) {
  const files = new Map(keys.map((key) => [key.slice(0, key.lastIndexOf("/")), key]));
  const names = [...files].map(([folder, key]) => key.slice(folder.length + 1));
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more.toLocaleString("en")} more` : shown;
}
