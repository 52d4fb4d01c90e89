import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate, grouped } from "#site/ui/format.ts";
import type { LetterFigures } from "#worker/analytics/contract.ts";
import { TableHead } from "../lists/table-head.tsx";
import { Nothing, Section } from "./section.tsx";

/** The figures of letters sent in the period. */
export const Letters = ({ letters }: { letters: LetterFigures[] }) => (
  <Section of="letters">
    {letters.length === 0 ? (
      <Nothing>No letters were sent in this period.</Nothing>
    ) : (
      <table className="w-full text-left text-sm figures">
        <TableHead
          columns={["Subject", "Sent on", ...columns.map(({ label }) => ({ figures: label }))]}
          cardsBelow="sm"
        />
        <tbody>
          {letters.map((letter) => (
            <Row key={letter.id} letter={letter} />
          ))}
        </tbody>
      </table>
    )}
  </Section>
);

type Counts = LetterFigures["counts"];

const columns: { label: string; of: (counts: Counts) => number }[] = [
  { label: "Recipients", of: ({ recipients }) => recipients },
  { label: "Sent", of: ({ sent }) => sent },
  { label: "Bounced", of: ({ bounced, failed }) => bounced + failed },
  { label: "Unsubscribed", of: ({ unsubscribed }) => unsubscribed },
];

const Row = ({ letter: { id, subject, startedAt, counts } }: { letter: LetterFigures }) => (
  <tr className="grid grid-cols-2 gap-x-4 gap-y-1 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0">
    <th scope="row" className="col-span-2 font-medium wrap-anywhere sm:w-full">
      <Link
        to={`/admin/newsletter/${id}/report`}
        dir="auto"
        className="py-1 underline decoration-edge underline-offset-4 hover:decoration-current"
      >
        {subject}
      </Link>
    </th>
    <td className="col-span-2 whitespace-nowrap text-muted">
      <DateTime at={startedAt} format={formatShortDate} />
    </td>
    {columns.map(({ label, of }) => (
      <td key={label} className="sm:text-right">
        <span>{grouped(of(counts))}</span>
        <span className="text-muted sm:hidden">{` ${label.toLowerCase()}`}</span>
      </td>
    ))}
  </tr>
);
