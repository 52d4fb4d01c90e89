import { ButtonLink } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import type { ReportedDelivery, ReportQuery } from "#worker/letters/contract.ts";
import { TableHead } from "../lists/table-head.tsx";

const titles: Record<ReportQuery["of"], string> = {
  failed: "Failed",
  skipped: "Skipped",
  uncertain: "Uncertain",
  bounced: "Bounced",
  complained: "Complained",
  unsubscribed: "Unsubscribed",
};

type Props = { of: ReportQuery["of"]; items: ReportedDelivery[]; next: string | null };

/** A letter's recipients with one outcome, and the provider's answers. */
export const Deliveries = ({ of, items, next }: Props) => (
  <section id="deliveries" aria-labelledby="deliveries-title" className="mt-8 grid gap-4">
    <h2 id="deliveries-title" className="text-lg font-semibold">
      {titles[of]}
    </h2>
    {items.length === 0 ? (
      <EmptyState title="No deliveries">None has this status.</EmptyState>
    ) : (
      <table className="w-full text-left text-sm">
        <TableHead columns={["Address", "Provider’s answer", "Attempts", "Time"]} cardsBelow="sm" />
        <tbody>
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} {...delivery} />
          ))}
        </tbody>
      </table>
    )}
    {next && (
      <ButtonLink to={`?of=${of}&before=${next}#deliveries`} className="justify-self-start">
        More
      </ButtonLink>
    )}
  </section>
);

const DeliveryRow = ({ email, answer, attempts, settledAt }: ReportedDelivery) => (
  <tr className="border-b border-rule max-sm:grid max-sm:py-2 max-sm:*:py-0.5">
    <td className="py-2 pr-4 wrap-anywhere">{email ?? <span className="text-muted">Deleted since</span>}</td>
    <td className="max-w-md py-2 pr-4 wrap-anywhere text-muted">{answer ?? "–"}</td>
    <td className="py-2 pr-4 whitespace-nowrap figures">
      <span className="sm:hidden">Attempts </span>
      <span>{attempts === 1 ? "once" : `${attempts.toLocaleString("en")} times`}</span>
    </td>
    <td className="py-2 whitespace-nowrap figures">
      {settledAt === null ? "–" : <DateTime at={settledAt} format={formatDateTime} />}
    </td>
  </tr>
);
