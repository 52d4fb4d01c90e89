import { useId, type ReactNode } from "react";
import type { SubscriberStats } from "#worker/newsletter/contract.ts";

/** The numbers of the newsletter's subscribers; below each how it is counted. The last three add up to the first. */
export function Stats({ stats }: { stats: SubscriberStats }) {
  const { confirmed, pending, unsubscribed, bounced, complained, paused } = stats;
  const gone = unsubscribed + bounced + complained;
  return (
    <dl className="mb-8 grid grid-cols-2 gap-4 xl:grid-cols-4">
      <Card title="Total Subscribers" value={confirmed + pending + gone}>
        All addresses you hold: verified, pending and unsubscribed.
      </Card>
      <Card title="Verified" value={confirmed}>
        Confirmed and active. They get letters
        <span>{paused > 0 ? `, except ${numbered(paused)} who paused them.` : "."}</span>
      </Card>
      <Card title="Pending" value={pending}>
        Active, but not confirmed yet. They get no letters.
      </Card>
      <Card title="Unsubscribed" value={gone}>
        Total minus active: <span>{numbered(unsubscribed)}</span> unsubscribed,{" "}
        <span>{numbered(bounced)}</span> bounced, <span>{numbered(complained)}</span> marked a letter as spam.
      </Card>
    </dl>
  );
}

type CardProps = { title: string; value: number; children: ReactNode };

function Card({ title, value, children }: CardProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1 border-t-2 border-edge pt-3">
      <dt id={id} className="text-sm font-medium">
        {title}
      </dt>
      <dd className="text-2xl font-semibold figures">{numbered(value)}</dd>
      <dd aria-describedby={id} className="text-sm text-muted">
        {children}
      </dd>
    </div>
  );
}

/** "1,204". */
const numbered = (count: number) => count.toLocaleString("en");
