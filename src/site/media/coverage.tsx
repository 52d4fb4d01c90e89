import { cx } from "#site/ui/cx.ts";
import { formatShortDay } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { PressItem } from "#worker/press/contract.ts";

/** Three columns. With the newest item set large, the rows are still full. */
export const coverageGrid = "grid grid-cols-1 gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3";
export const leadCell = "sm:col-span-2 lg:row-span-2";

/** Press cuttings: outlet, then headline. */
export function CoverageGrid({ items, leads }: { items: PressItem[]; leads: boolean }) {
  return (
    <ul className={coverageGrid}>
      {items.map((item, place) => (
        <li key={item.id} id={`press-${item.id}`} className={cx(leads && place === 0 && leadCell)}>
          <Cutting item={item} isLead={leads && place === 0} />
        </li>
      ))}
    </ul>
  );
}

function Cutting({ item, isLead }: { item: PressItem; isLead: boolean }) {
  return (
    <article className={cx("grid content-start gap-3", isLead && "lg:pr-8")}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-rule pb-2 text-sm">
        <span className="font-semibold">{item.outlet || "Press"}</span>
        <DateTime at={item.date} format={formatShortDay} className="figures text-muted" />
      </p>
      <h3 className={cx("headline", isLead ? "text-2xl" : "text-xl")}>
        {item.link ? (
          <a
            href={item.link}
            rel="noopener"
            className="py-0.5 decoration-1 underline-offset-[0.15em] hover:underline"
          >
            {item.title}
          </a>
        ) : (
          item.title
        )}
      </h3>
      <p
        className={cx("font-reading text-muted", isLead ? "max-w-[36rem] text-xl leading-snug" : "text-base")}
      >
        {item.summary}
      </p>
      {item.mediaType && <p className="kicker">{item.mediaType}</p>}
    </article>
  );
}
