import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";

export type ListedLetter = {
  id: number;
  subject: string;
  preheader: string;
  /** Milliseconds UTC. */
  startedAt: number;
};

export const letterRow =
  "grid grid-cols-1 gap-x-10 gap-y-2 border-b border-rule py-6 lg:grid-cols-[10rem_1fr]";

/** Like an index: the date, then subject and preheader. */
export const LetterList = ({ letters }: { letters: ListedLetter[] }) => (
  <ol>
    {letters.map(({ id, subject, preheader, startedAt }) => (
      <li key={id} className={letterRow}>
        <DateTime at={startedAt} format={formatShortDate} className="kicker figures lg:pt-1.5" />
        <div className="grid gap-1.5">
          <h2 className="headline text-xl">
            <Link
              to={`/letters/${id}`}
              className="py-0.5 decoration-1 underline-offset-[0.15em] hover:underline"
            >
              {subject}
            </Link>
          </h2>
          {preheader && <p className="max-w-[36rem] font-reading text-lg text-muted">{preheader}</p>}
        </div>
      </li>
    ))}
  </ol>
);
