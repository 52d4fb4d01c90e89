import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { QuestionReport } from "#worker/letters/contract.ts";
import { ConfirmAction } from "../lists/confirm-action.tsx";

export const END_QUESTION = "endQuestion";

type Props = {
  id: number;
  report: QuestionReport;
  /** How many readers the letter was sent to. */
  asked: number;
  isBusy: boolean;
};

/** The answers to a letter's question. */
export function QuestionResults({
  id,
  report: { question, answers, isOpen, closesAt },
  asked,
  isBusy,
}: Props) {
  const all = answers.reduce((sum, { votes }) => sum + votes, 0);
  return (
    <section aria-labelledby="question" className="mt-8 grid gap-4">
      <h2 id="question" className="text-lg font-semibold wrap-anywhere">
        {question}
      </h2>
      <p className="max-w-xl text-sm text-muted">
        <span>{`${all.toLocaleString("en")} of ${asked.toLocaleString("en")} readers answered. `}</span>
        <span>{isOpen ? "Open until " : "Closed since "}</span>
        <DateTime at={closesAt} format={formatDateTime} />
        <span>
          {isOpen
            ? ". Individual answers aren’t shown, and are deleted after the end."
            : ". Individual answers are deleted within a day of the end."}
        </span>
      </p>
      <table className="w-full text-left text-sm">
        <thead className="border-b border-edge">
          <tr>
            <th scope="col" className="py-2 pr-4 font-medium">
              Answer
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Readers
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {answers.map(({ answer, votes }) => (
            <tr key={answer} className="border-b border-rule">
              <td className="py-2 pr-4 wrap-anywhere">{answer}</td>
              <td className="py-2 pr-4 text-right figures">{votes.toLocaleString("en")}</td>
              <td className="py-2 text-right figures">{`${Math.round((100 * votes) / Math.max(all, 1))}%`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex flex-wrap gap-3">
        <a href={`/api/admin/newsletters/${id}/answers`} download className="link self-center">
          Download as CSV
        </a>
        {isOpen && (
          <ConfirmAction
            intent={END_QUESTION}
            label="Close question"
            title="Close this question?"
            confirm="Close question"
            busy={isBusy}
          >
            Readers can’t answer any more, or change their answer. This can’t be undone.
          </ConfirmAction>
        )}
      </div>
    </section>
  );
}
