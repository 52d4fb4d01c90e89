import { Link } from "#site/document/link.tsx";
import type { LetterCounts, ReportQuery } from "#worker/letters/contract.ts";

type Row = {
  name: Exclude<keyof LetterCounts, "queued">;
  label: string;
  meaning: string;
};

const rows: Row[] = [
  { name: "recipients", label: "Recipients", meaning: "Everyone it was addressed to when sending began." },
  { name: "sent", label: "Sent", meaning: "Accepted by the mail server. Opens aren’t tracked." },
  { name: "failed", label: "Failed", meaning: "Refused permanently, or for two hours." },
  { name: "uncertain", label: "Uncertain", meaning: "The connection was lost before the server answered." },
  {
    name: "skipped",
    label: "Skipped",
    meaning: "Unsubscribed, paused or deleted before their turn, or cancelled.",
  },
  { name: "bounced", label: "Bounced", meaning: "Returned later, as the provider reported." },
  { name: "complained", label: "Complained", meaning: "Marked it as spam. They get no more letters." },
  { name: "unsubscribed", label: "Unsubscribed", meaning: "With a link in this letter." },
];

type Props = { counts: LetterCounts; id: number; shown: ReportQuery["of"] | null };

/** A letter's figures; those about recipients link to their list. */
export const ReportFigures = ({ counts, id, shown }: Props) => (
  <dl className="grid grid-cols-2 gap-x-6 sm:grid-cols-3 lg:grid-cols-4">
    {rows.map(({ name, label, meaning }) => (
      <div key={name} className="grid content-start gap-1 border-t border-rule py-4">
        <dt className="text-sm font-medium">{label}</dt>
        <dd className="text-2xl figures">
          {hasList(name) && counts[name] > 0 ? (
            <Link
              to={`/admin/newsletter/${id}/report?of=${name}#deliveries`}
              className="link"
              aria-current={shown === name ? "true" : undefined}
            >
              {counts[name].toLocaleString("en")}
            </Link>
          ) : (
            counts[name].toLocaleString("en")
          )}
        </dd>
        <dd className="text-sm text-muted">{meaning}</dd>
      </div>
    ))}
  </dl>
);

const hasList = (name: Row["name"]): name is ReportQuery["of"] => name !== "recipients" && name !== "sent";
