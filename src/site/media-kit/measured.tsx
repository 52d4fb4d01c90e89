import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDay, grouped } from "#site/ui/format.ts";
import type { MeasuredFigures } from "#worker/analytics/contract.ts";

const labels = {
  downloads: "Episode downloads",
  downloadsPerEpisode: "Median downloads of an episode in its first 30 days",
  views: "Page views",
  visitors: "Visitors per day, added up",
} satisfies Partial<Record<keyof MeasuredFigures, string>>;

/** The site's own figures, with their date. Renders nothing without figures. */
export function Measured({ figures }: { figures: MeasuredFigures }) {
  const rows = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name) => {
    const value = figures[name];
    return value === null ? [] : [{ label: labels[name], value }];
  });
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="measured" className="border-t border-rule pt-5 pb-14">
      <h2 id="measured" className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span className="text-base font-semibold">Counted by this site</span>
        <span className="kicker">
          30 days to <DateTime at={figures.asOf} format={formatLongDay} />
        </span>
      </h2>
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-8 lg:grid-cols-4">
        {rows.map(({ label, value }) => (
          <div key={label} className="grid content-start gap-1">
            <dt className="order-last text-muted">{label}</dt>
            <dd className="headline figures text-2xl text-accent">{grouped(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 text-sm">
        <Link to="/how-we-count" className="link">
          How it’s counted
        </Link>
      </p>
    </section>
  );
}
