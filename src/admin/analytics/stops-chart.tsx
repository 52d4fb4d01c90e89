import { counted, formatTime, grouped } from "#site/ui/format.ts";
import type { EpisodeReport } from "#worker/analytics/contract.ts";
import { Chart } from "./chart/chart.tsx";
import { FiguresTable } from "./chart/figures-table.tsx";
import { Nothing, Section } from "./section.tsx";
import { listeningOf, partAt, type Part } from "./stops.ts";
import { figureText } from "./trend.ts";

/** Steps of the audio between two times of the axis. */
const STEPS = [1, 2, 4, 10, 20, 40, 120, 240];

/** Where listeners of the site's own player stop, against the chapters. */
export function Stops({ report }: { report: EpisodeReport }) {
  const { steps, parts, listeners, finished } = listeningOf(report);
  const share = figureText(Math.round((finished / listeners) * 100), "percent");
  return (
    <Section of="stops">
      {listeners === 0 ? (
        <Nothing>No one has stopped or finished this episode in the site’s player yet.</Nothing>
      ) : (
        <>
          <p className="text-sm text-muted">
            {`${counted(listeners, "listener")}; ${share} reached the end.`}
          </p>
          <Chart
            label="Still listening, by position"
            noun="Position"
            lines={[
              { label: "Still listening", values: steps.map(({ listening }) => listening), tone: "accent" },
            ]}
            steps={STEPS}
            labelOf={(index) => formatTime(steps[index]!.second)}
            pointOf={(index) => formatTime(steps[index]!.second)}
            valueText={(value) => figureText(value, "percent")}
            noteOf={(index) => noteOf(parts, steps[index]!)}
            marks={report.chapters.map(({ start }) => start / report.step)}
            top={100}
            first={0}
          >
            <FiguresTable
              columns={[report.chapters.length > 0 ? "Chapter" : "From", "Still listening", "Stopped here"]}
              rows={[
                ...parts.map((part) => ({
                  key: part.start,
                  cells: [
                    nameOf(part),
                    figureText(part.listening, "percent"),
                    grouped(part.stopped),
                  ] as const,
                })),
                {
                  key: "end",
                  cells: [
                    "Reached the end",
                    figureText(Math.round((finished / listeners) * 100), "percent"),
                    grouped(finished),
                  ] as const,
                },
              ].map(({ key, cells: [name, ...figures] }) => ({ key, cells: [name, ...figures] }))}
            />
          </Chart>
        </>
      )}
    </Section>
  );
}

const nameOf = ({ start, title }: Part) => `${formatTime(start)}${title === null ? "" : ` ${title}`}`;

/** The chapter, and the listeners who stop within the step. */
function noteOf(parts: Part[], { second, stopped }: { second: number; stopped: number }) {
  const title = partAt(parts, second)?.title;
  return [title, stopped > 0 && `${grouped(stopped)} stopped here`].filter(Boolean).join(" · ");
}
