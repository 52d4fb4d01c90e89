import type { ReactNode } from "react";
import { copyText } from "#site/admin/shell/copy.ts";
import { formatSize } from "#site/admin/files/format.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { TextField } from "#site/ui/field.tsx";
import { formatDateTime, formatTime } from "#site/ui/format.ts";
import { faultsInWords, type LibraryFile } from "#worker/files/contract.ts";

type Props = { file: LibraryFile; address: string };

/** A file's details and its public address. */
export function FileFacts({ file, address }: Props) {
  const flaw = faultsInWords(file);
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        <Fact name="Type">{file.type}</Fact>
        <Fact name="Size">{formatSize(file.size)}</Fact>
        {file.width && file.height && <Fact name="Dimensions">{`${file.width} × ${file.height} px`}</Fact>}
        {file.durationSeconds !== null && <Fact name="Duration">{formatTime(file.durationSeconds)}</Fact>}
        <Fact name="Uploaded">
          <DateTime at={file.completedAt} format={formatDateTime} />
        </Fact>
      </dl>
      {flaw && <p className="border-l-4 border-signal bg-tint px-4 py-3 text-sm">{flaw}</p>}
      <div className="grid gap-3">
        <TextField
          label="Public address"
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <ButtonRow>
          <Button size="sm" onClick={() => void copyText(address, "Address copied", "address")}>
            Copy address
          </Button>
          <a href={`${file.url}?download&former`} className="link text-sm">
            Download
          </a>
        </ButtonRow>
      </div>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 wrap-anywhere figures">{children}</dd>
  </>
);
