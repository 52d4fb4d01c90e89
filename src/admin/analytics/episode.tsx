import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { readEpisodeAnalytics } from "#worker/analytics/episode-queries.ts";
import { load } from "../shell/load.server.ts";
import { Definition } from "./definition.tsx";
import { definitions, type DefinedFigure } from "./definitions.ts";
import { PATH } from "./query.ts";
import { SincePublication } from "./since-chart.tsx";
import { Stops } from "./stops-chart.tsx";
import { figureText } from "./trend.ts";
import type { Route } from "./+types/episode";

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `${loaderData.title} · ` : ""}Analytics · Admin` },
];

export const loader = ({ context, params: { id } }: Route.LoaderArgs) =>
  load(readEpisodeAnalytics(context.get(siteContext), Number(id)));

/** The report of one episode. */
export default function EpisodeAnalytics({ loaderData: report }: Route.ComponentProps) {
  return (
    <>
      <p className="mb-2 text-sm">
        <Link to={PATH} className="link">
          Analytics
        </Link>
      </p>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <h1 dir="auto" className="min-w-0 text-xl font-semibold wrap-anywhere">
          {report.title}
        </h1>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`/admin/podcast/${report.id}`} size="sm">
            Edit episode
          </ButtonLink>
        </div>
      </header>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-6 py-6 sm:grid-cols-3 sm:gap-x-6">
        <Total of="total" value={report.total} />
        <Total of="plays" value={report.plays} />
        <Total of="completions" value={report.completions} />
      </dl>
      <SincePublication {...report} />
      <Stops report={report} />
    </>
  );
}

const Total = ({ of, value }: { of: DefinedFigure; value: number }) => (
  <div className="grid content-start gap-1 border-t-2 border-edge pt-3">
    <dt className="flex items-center gap-1 text-sm font-medium">
      <span>{definitions[of].title}</span>
      <Definition of={of} />
    </dt>
    <dd className="text-2xl font-semibold figures">{figureText(value, "count")}</dd>
  </div>
);
