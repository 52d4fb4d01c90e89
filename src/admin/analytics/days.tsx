import { useState } from "react";
import { formatLongDay, grouped } from "#site/ui/format.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { CountedDay } from "#worker/analytics/contract.ts";
import { ViewSwitch } from "../podcast/view-switch.tsx";
import { Chart } from "./chart/chart.tsx";
import { FiguresTable } from "./chart/figures-table.tsx";
import type { Line } from "./chart/plot.ts";
import { shortDays } from "./day-names.ts";
import { Section } from "./section.tsx";

const views = { readers: "Views and visitors", listeners: "Downloads" };
type View = keyof typeof views;

/** Days between two names of days. */
const STEPS = [1, 2, 7, 14, 28, 56, 91];

/** Each day of a period: who read, or who listened. */
export function Days({ days }: { days: CountedDay[] }) {
  const locale = useLocale();
  const [view, setView] = useState<View>("readers");
  const shortDay = shortDays(locale);
  const nameOf = (index: number) => formatLongDay(days[index]!.day, locale);
  return (
    <Section
      of="days"
      aside={<ViewSwitch label="What the chart shows" views={views} current={view} onChange={setView} />}
    >
      <Chart
        key={`${view} ${days[0]?.day} ${days.length}`}
        label={`${views[view]} by day`}
        noun="Day"
        lines={linesOf(days, view)}
        steps={STEPS}
        labelOf={(index) => shortDay(days[index]!.day)}
        pointOf={nameOf}
        first={days.length - 1}
      >
        <FiguresTable
          columns={["Day (UTC)", "Views", "Visitors", "Downloads"]}
          rows={days.map((each, index) => ({
            key: each.day,
            cells: [nameOf(index), grouped(each.views), grouped(each.visitors), grouped(each.downloads)],
          }))}
        />
      </Chart>
    </Section>
  );
}

function linesOf(days: CountedDay[], view: View): Line[] {
  const values = (of: "views" | "visitors" | "downloads") => days.map((day) => day[of]);
  if (view === "listeners") return [{ label: "Downloads", values: values("downloads"), tone: "signal" }];
  return [
    { label: "Views", values: values("views"), tone: "accent" },
    { label: "Visitors", values: values("visitors"), tone: "signal", isDashed: true },
  ];
}
