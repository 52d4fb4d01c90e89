import type { ReactNode } from "react";
import type { SubscriberStats } from "#worker/newsletter/contract.ts";

/** The counts of subscribers in one line, and their definitions. The last three add up to the first. */
export function Stats({ stats }: { stats: SubscriberStats }) {
  const { confirmed, pending, unsubscribed, bounced, complained, paused } = stats;
  const gone = unsubscribed + bounced + complained;
  return (
    <div className="mb-6 flex flex-wrap items-baseline gap-x-6 gap-y-1 border-y border-rule py-2 text-sm">
      <dl className="contents">
        <Figure title="Total Subscribers" value={confirmed + pending + gone} />
        <Figure title="Verified" value={confirmed} />
        <Figure title="Pending" value={pending} />
        <Figure title="Unsubscribed" value={gone} />
      </dl>
      <details className="open:w-full">
        <summary className="min-h-8 cursor-pointer py-1.5 text-muted hover:text-ink">
          How these are counted
        </summary>
        <dl className="grid max-w-prose gap-2 pb-2 *:grid *:gap-x-4 sm:*:grid-cols-[9rem_1fr]">
          <Meaning of="Total">All addresses you hold: verified, pending and unsubscribed.</Meaning>
          <Meaning of="Verified">
            Confirmed and active. They get letters
            <span>{paused > 0 ? `, except ${numbered(paused)} who paused them.` : "."}</span>
          </Meaning>
          <Meaning of="Pending">Signed up, but not confirmed yet. They get no letters.</Meaning>
          <Meaning of="Unsubscribed">
            Total minus active: <span>{numbered(unsubscribed)}</span> unsubscribed,{" "}
            <span>{numbered(bounced)}</span> bounced, <span>{numbered(complained)}</span> marked a letter as
            spam.
          </Meaning>
        </dl>
      </details>
    </div>
  );
}

const Figure = ({ title, value }: { title: string; value: number }) => (
  <div className="flex items-baseline gap-2">
    <dt className="text-muted">{title}</dt>
    <dd className="text-base font-semibold figures">{numbered(value)}</dd>
  </div>
);

const Meaning = ({ of, children }: { of: string; children: ReactNode }) => (
  <div>
    <dt className="font-medium">{of}</dt>
    <dd className="text-muted">{children}</dd>
  </div>
);

/** "1,204". */
const numbered = (count: number) => count.toLocaleString("en");
