import { useState } from "react";
import { ApiError, api, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { formatSize } from "../files/format.ts";
import { FormSection } from "../form/section.tsx";
import { DownloadLink } from "../shell/download-link.tsx";

type Parts = Awaited<ReturnType<typeof read>>;
const read = () => readJson(api.export.files.$get());

/** The parts in which the files themselves are downloaded, listed on request since that reads the bucket. */
export function ExportFiles({ isFree }: { isFree: boolean }) {
  const [parts, setParts] = useState<Parts | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const list = async () => {
    setBusy(true);
    setError(null);
    try {
      setParts(await read());
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : "The connection was lost. Try again.");
    }
    setBusy(false);
  };
  return (
    <FormSection
      title="Files"
      help={`Audio, pictures and documents, in zips of at most ${isFree ? "25 files" : "2 GB"}. A download that breaks off continues where it stopped.`}
    >
      {parts === null ? (
        <div>
          <Button onClick={() => void list()} busy={isBusy}>
            List the downloads
          </Button>
        </div>
      ) : (
        <PartList {...parts} />
      )}
      <p role="alert" className="font-medium text-danger empty:hidden">
        {error}
      </p>
    </FormSection>
  );
}

const PartList = ({ items, leftOut }: Parts) => (
  <div role="status">
    {items.length === 0 ? (
      leftOut === 0 && <p>This site has no files.</p>
    ) : (
      <ul className="grid gap-2">
        {items.map(({ number, files, bytes }) => (
          <li key={number} className="figures">
            <DownloadLink to={`/api/admin/export/files/${number}`}>
              {`Part ${number} of ${items.length}`}
            </DownloadLink>
            <span>{`, ${files.toLocaleString("en")} files, ${formatSize(bytes)}`}</span>
          </li>
        ))}
      </ul>
    )}
    {leftOut > 0 && (
      <p className="mt-2 max-w-2xl">
        {`Not in a zip: ${leftOut.toLocaleString("en")}. The free plan has no time to read files larger than 2 MB, and reads a new one within a few hours. Download each of them in Files.`}
      </p>
    )}
  </div>
);
