import { useState } from "react";
import { dates, formatLongDay, ofDay } from "#site/ui/format.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { AnalyticsReport, CountedDay, Figure } from "#worker/analytics/contract.ts";
import { ViewSwitch } from "../podcast/view-switch.tsx";
import { Chart } from "./chart/chart.tsx";
import { FiguresTable } from "./chart/figures-table.tsx";
import type { Line } from "./chart/plot.ts";
import { Nothing, Section } from "./section.tsx";
import { figureText } from "./trend.ts";

const viewNames = { readers: "Views and visitors", listeners: "Downloads" };
type View = keyof typeof viewNames;

/** Days between two labels of the axis. */
const STEPS = [1, 2, 7, 14, 28, 56, 91];

type Props = Pick<AnalyticsReport, "days" | "cards" | "downloads" | "today" | "changedClocks">;

/** Each day of a period: readers or listeners. */
export function Days(report: Props) {
  const locale = useLocale();
  const [view, setView] = useState<View>("readers");
  const days = withoutUncounted(report);
  const isToday = (index: number) => days[index]!.day === report.today;
  const nameOf = (index: number) =>
    `${formatLongDay(days[index]!.day, locale)}${isToday(index) ? ", so far" : ""}`;
  const hoursOf = (index: number) => report.changedClocks[days[index]!.day];
  const lines = linesOf(days, view);
  return (
    <Section
      of="days"
      aside={<ViewSwitch label="What the chart shows" views={viewNames} current={view} onChange={setView} />}
    >
      {lines[0]!.values.every((value) => value === null) ? (
        <Nothing />
      ) : (
        <Chart
          key={`${view} ${days[0]?.day} ${days.length}`}
          label={`${viewNames[view]} by day`}
          noun="Day"
          lines={lines}
          steps={STEPS}
          labelOf={(index) => shortDay(new Date(days[index]!.day), ofDay(locale))}
          pointOf={nameOf}
          noteOf={(index) => clockNote(hoursOf(index))}
          first={days.length - 1}
          isUnfinished={isToday(days.length - 1)}
        >
          <FiguresTable
            columns={["Day", "Views", "Visitors", "Downloads"]}
            rows={days.map(({ day, views, visitors, downloads }, index) => ({
              key: day,
              cells: [nameOf(index), text(views), text(visitors), text(downloads)],
            }))}
          />
        </Chart>
      )}
    </Section>
  );
}

/** Of a day on which clocks change. */
const clockNote = (hours: number | undefined) =>
  hours === undefined ? undefined : `${hours} hours: clocks change`;

const text = (value: number | null) => figureText(value, "count");

type Day = { day: string; views: number | null; visitors: number | null; downloads: number | null };

/**
 * The days with null instead of zeros before counting began: if the previous period has no figure, counting began in
 * this one.
 */
function withoutUncounted({ days, cards, downloads }: Pick<Props, "days" | "cards" | "downloads">): Day[] {
  const firstOf = ({ value, before }: Figure, isCounted: (day: CountedDay) => boolean) => {
    if (value === null) return days.length;
    return before === null ? Math.max(0, days.findIndex(isCounted)) : 0;
  };
  const seen = firstOf(cards.views, ({ views }) => views > 0);
  const heard = firstOf(downloads.total, (day) => day.downloads > 0);
  return days.map((each, at) => ({
    day: each.day,
    views: at < seen ? null : each.views,
    visitors: at < seen ? null : each.visitors,
    downloads: at < heard ? null : each.downloads,
  }));
}

function linesOf(days: Day[], view: View): Line[] {
  const values = (of: "views" | "visitors" | "downloads") => days.map((day) => day[of]);
  if (view === "listeners") return [{ label: "Downloads", values: values("downloads"), tone: "signal" }];
  return [
    { label: "Views", values: values("views"), tone: "accent" },
    { label: "Visitors", values: values("visitors"), tone: "signal", isThin: true },
  ];
}

/** "12 Nov", below a chart. */
const shortDay = dates({ day: "numeric", month: "short" });
