import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import { readRow, type Mapping } from "./columns.ts";

type Props = { rows: string[][]; mapping: Mapping; header: string[]; now: number };

/** The first lines of the file, as they will be read. */
export const Preview = ({ rows, mapping, header, now }: Props) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so that keys must reach it.
  <div className="fading overflow-x-auto" role="region" aria-label="Preview" tabIndex={0}>
    <table className="w-full text-left text-sm">
      <caption className="mb-2 text-left text-muted">The first lines, as they’ll be read</caption>
      <thead>
        <tr className="border-b border-edge *:py-2 *:pr-4 *:font-medium">
          <th scope="col">Email</th>
          <th scope="col">Signed up</th>
          <th scope="col">Confirmed</th>
          <th scope="col">Status</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <PreviewRow
            key={`${index} ${cells.join()}`}
            cells={cells}
            mapping={mapping}
            header={header}
            now={now}
          />
        ))}
      </tbody>
    </table>
  </div>
);

type RowProps = Omit<Props, "rows"> & { cells: string[] };

function PreviewRow({ cells, mapping, header, now }: RowProps) {
  const read = readRow(cells, 1, mapping, header, now);
  if ("unknownStatus" in read) {
    return (
      <tr className="border-b border-rule *:py-2 *:pr-4">
        <td className="wrap-anywhere">{cells[mapping.email ?? 0]}</td>
        <td colSpan={4} className="text-danger">
          Unknown status “<span>{read.unknownStatus}</span>”. This line will be left out.
        </td>
      </tr>
    );
  }
  const { email, subscribedAt, confirmedAt, status, source } = read.row;
  return (
    <tr className="border-b border-rule *:py-2 *:pr-4">
      <td className="whitespace-nowrap">{email || <span className="text-muted">None</span>}</td>
      <DateCell at={subscribedAt} />
      <DateCell at={confirmedAt} />
      <td>{status}</td>
      <td>{source}</td>
    </tr>
  );
}

const DateCell = ({ at }: { at: number | null }) => (
  <td className="whitespace-nowrap text-muted">
    {at !== null && <DateTime at={at} format={formatShortDate} />}
  </td>
);
