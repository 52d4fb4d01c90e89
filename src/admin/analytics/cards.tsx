import type { ReactNode } from "react";
import { ArrowDown, ArrowRight, ArrowUp } from "lucide-react";
import { cx } from "#site/ui/cx.ts";
import type { AnalyticsReport, Figure, LatestDownloads } from "#worker/analytics/contract.ts";
import { Definition } from "./definition.tsx";
import { definitions, type DefinedFigure } from "./definitions.ts";
import { figureText, MISSING, trendOf, type Trend, type Unit } from "./trend.ts";

type Props = Pick<AnalyticsReport, "cards" | "downloads" | "period">;

/** The five figures of a period. */
export const Cards = ({ cards, downloads, period: { days } }: Props) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-6 py-6 sm:gap-x-6 xl:grid-cols-5">
    <Card of="downloads" figure={downloads.total} days={days} className="max-xl:col-span-2">
      {downloads.latest && <Latest {...downloads.latest} />}
    </Card>
    <Card of="views" figure={cards.views} days={days} />
    <Card of="visitors" figure={cards.visitors} days={days} />
    <Card of="readingSeconds" figure={cards.readingSeconds} unit="seconds" days={days} />
    <Card of="engagement" figure={cards.engagement} unit="percent" days={days} />
  </dl>
);

type FigureProps = { figure: Figure; unit?: Unit; days: number };
type CardProps = FigureProps & { of: DefinedFigure; className?: string; children?: ReactNode };

const Card = ({ of, className, children, ...figure }: CardProps) => (
  <div className={cx("grid content-start gap-1 border-t-2 border-edge pt-3", className)}>
    <dt className="flex items-center gap-1 text-sm font-medium">
      <span>{definitions[of].title}</span>
      <Definition of={of} />
    </dt>
    <LargeFigure {...figure} />
    {children}
  </div>
);

/** For the last two days, regardless of the period. */
const Latest = ({ yesterday, today }: LatestDownloads) => (
  <dd className="text-sm">
    <span>
      Yesterday <strong className="font-semibold figures">{figureText(yesterday, "count")}</strong>
    </span>
    <span className="text-muted">{` · ${figureText(today, "count")} today so far`}</span>
  </dd>
);

/** A figure, and how it has changed. */
function LargeFigure({ figure, unit = "count", days }: FigureProps) {
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
