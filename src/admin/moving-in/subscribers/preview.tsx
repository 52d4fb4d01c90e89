import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import { readRow, type Answers } from "./columns.ts";
import { stateName } from "./people.tsx";
import { stateOf, type Survey } from "./survey.ts";

type Props = {
  rows: string[][];
  survey: Survey;
  answers: Answers;
  /** Whether the state of everyone waits for the owner's answer. */
  isAsked: boolean;
  now: number;
};

/** The first lines of the file, as they will be read. */
export const Preview = ({ rows, ...how }: Props) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so that keys must reach it.
  <div className="fading overflow-x-auto" role="region" aria-label="Preview" tabIndex={0}>
    <table className="w-full text-left text-sm">
      <caption className="mb-2 text-left text-muted">The first lines, as they’ll be read</caption>
      <thead>
        <tr className="border-b border-edge *:py-2 *:pr-4 *:font-medium">
          <th scope="col">Email</th>
          <th scope="col">Signed up</th>
          <th scope="col">Confirmed</th>
          <th scope="col">State</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <PreviewRow key={`${index} ${cells.join()}`} cells={cells} {...how} />
        ))}
      </tbody>
    </table>
  </div>
);

type RowProps = Omit<Props, "rows"> & { cells: string[] };

function PreviewRow({ cells, survey, answers, isAsked, now }: RowProps) {
  const read = readRow(cells, { line: 1, heading: null }, survey.layout, answers, now);
  const { row } = read;
  const state = stateOf(read, survey, answers);
  return (
    <tr className="border-b border-rule *:py-2 *:pr-4">
      <td className="whitespace-nowrap">{row.email || <span className="text-muted">None</span>}</td>
      <DateCell at={row.subscribedAt} />
      <DateCell at={row.confirmedAt} />
      <td>{isAsked && state === "doubtful" ? "Your answer decides" : stateName(state)}</td>
      <td>{row.source}</td>
    </tr>
  );
}

const DateCell = ({ at }: { at: number | null }) => (
  <td className="whitespace-nowrap text-muted">
    {at !== null && <DateTime at={at} format={formatShortDate} />}
  </td>
);
