import { ArrowDown, ArrowRight, ArrowUp } from "lucide-react";
import type { AnalyticsReport, Figure } from "#worker/analytics/contract.ts";
import { Definition } from "./definition.tsx";
import { definitions, type DefinedFigure } from "./definitions.ts";
import { figureText, MISSING, trendOf, type Trend, type Unit } from "./trend.ts";

type Props = Pick<AnalyticsReport, "cards" | "period">;

/** The four figures of a period. */
export const Cards = ({ cards, period: { days } }: Props) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-6 py-6 sm:gap-x-6 xl:grid-cols-4">
    <Card of="views" figure={cards.views} days={days} />
    <Card of="visitors" figure={cards.visitors} days={days} />
    <Card of="readingSeconds" figure={cards.readingSeconds} unit="seconds" days={days} />
    <Card of="engagement" figure={cards.engagement} unit="percent" days={days} />
  </dl>
);

type FigureProps = { figure: Figure; unit?: Unit; days: number };

const Card = ({ of, ...figure }: FigureProps & { of: DefinedFigure }) => (
  <div className="grid content-start gap-1 border-t-2 border-edge pt-3">
    <dt className="flex items-center gap-1 text-sm font-medium">
      <span>{definitions[of].title}</span>
      <Definition of={of} />
    </dt>
    <LargeFigure {...figure} />
  </div>
);

/** A figure, and how it has changed. */
export function LargeFigure({ figure, unit = "count", days }: FigureProps) {
  const trend = trendOf(figure, unit, days);
  return (
    <>
      <dd className="text-2xl font-semibold figures">
        {figure.value === null ? <NotMeasured /> : figureText(figure.value, unit)}
      </dd>
      {trend && <TrendLine {...trend} />}
    </>
  );
}

const NotMeasured = () => (
  <>
    <span aria-hidden className="text-muted">
      {MISSING}
    </span>
    <span className="sr-only">Not measured</span>
  </>
);

const icons = { up: ArrowUp, down: ArrowDown, same: ArrowRight };

function TrendLine({ way, words }: Trend) {
  const Icon = icons[way];
  return (
    <dd className="flex items-start gap-1 text-sm text-muted">
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span>{words}</span>
    </dd>
  );
}
