import { grouped } from "#site/ui/format.ts";
import type { EpisodeReport } from "#worker/analytics/contract.ts";
import { Chart } from "./chart/chart.tsx";
import { FiguresTable } from "./chart/figures-table.tsx";
import { Nothing, Section } from "./section.tsx";
import { MISSING } from "./trend.ts";

const STEPS = [1, 2, 7, 14, 30];

const valueText = (value: number | null) =>
  value === null ? MISSING : Number.isInteger(value) ? grouped(value) : value.toFixed(1);

/** An episode's downloads of each day since its publication, beside the median of the others. */
export function SincePublication({
  downloads,
  isLastToday,
}: Pick<EpisodeReport, "downloads" | "isLastToday">) {
  const isToday = (index: number) => isLastToday && index === downloads.length - 1;
  return (
    <Section of="sinceDay">
      {downloads.every((day) => !day.downloads && !day.median) ? (
        <Nothing>No downloads were counted on these days.</Nothing>
      ) : (
        <Chart
          label="Downloads by day since publication"
          noun="Day since publication"
          lines={[
            { label: "This episode", values: downloads.map((day) => day.downloads), tone: "accent" },
            {
              label: "Median of the others",
              values: downloads.map(({ median }) => median),
              tone: "signal",
              isThin: true,
            },
          ]}
          steps={STEPS}
          labelOf={(index) => `${downloads[index]!.sinceDay}`}
          pointOf={(index) => `Day ${downloads[index]!.sinceDay}${isToday(index) ? ", so far" : ""}`}
          valueText={valueText}
          first={downloads.length - 1}
          isUnfinished={isLastToday}
        >
          <FiguresTable
            columns={["Day since publication", "This episode", "Median of the others"]}
            rows={downloads.map((day, index) => ({
              key: day.sinceDay,
              cells: [
                `${day.sinceDay}${isToday(index) ? ", so far" : ""}`,
                valueText(day.downloads),
                valueText(day.median),
              ],
            }))}
          />
        </Chart>
      )}
    </Section>
  );
}
