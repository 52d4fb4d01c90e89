import { data, useNavigation } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDay } from "#site/ui/format.ts";
import { zoneName } from "#site/ui/zone-name.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { AnalyticsReport } from "#worker/analytics/contract.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { readSite } from "#worker/settings/queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { Cards } from "./cards.tsx";
import { Content } from "./content.tsx";
import { Counts } from "./counts.tsx";
import { withCountryNames } from "./country-names.server.ts";
import { Days } from "./days.tsx";
import { Downloads } from "./downloads.tsx";
import { Letters } from "./letters.tsx";
import { actionsOf, sourceNames } from "./content-titles.ts";
import { PeriodChoice } from "./period.tsx";
import { askedPeriodOf, checkPeriod, PATH, periodParams } from "./query.ts";
import type { Route } from "./+types/panel";

export const meta = pageTitle("Analytics");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const asked = askedPeriodOf(url.searchParams);
  const { language, timeZone } = await load(readSite(ctx));
  const today = dayIn(timeZone, ctx.now);
  const { query, problems } = checkPeriod(asked, today);
  if (problems) return data({ asked, today, problems, report: null }, { status: 422 });
  const report = await load(readAnalytics(ctx, query));
  const { downloads } = report;
  const countries = withCountryNames(downloads.countries, language);
  return { asked, today, report: { ...report, downloads: { ...downloads, countries } } };
}

/** The figures of the period in the address. */
export default function Panel({ loaderData: { asked, today, ...rest } }: Route.ComponentProps) {
  const { report } = rest;
  const navigation = useNavigation();
  const isLoading = navigation.location?.pathname === PATH;
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <h1 className="text-xl font-semibold">Analytics</h1>
        {report && <Exports params={periodParams(asked)} />}
      </header>
      <div className="mt-4">
        <PeriodChoice
          asked={asked}
          shown={report?.period ?? { from: today, to: today }}
          today={today}
          problems={"problems" in rest ? rest.problems : undefined}
        />
      </div>
      <p role="status" className="sr-only">
        {isLoading && "Loading the figures"}
      </p>
      {report && (
        <div aria-busy={isLoading} className={cx("transition-opacity", isLoading && "opacity-55")}>
          <PeriodInWords {...report} />
          {isEmpty(report) && <NothingYet />}
          <Report report={report} />
        </div>
      )}
    </>
  );
}

const Exports = ({ params }: { params: string }) => (
  <div className="flex flex-wrap gap-2">
    <ButtonLink to={`/api/admin/analytics/export?${params}&of=days`} size="sm" reloadDocument download>
      <ExportName>days</ExportName>
    </ButtonLink>
    <ButtonLink to={`/api/admin/analytics/export?${params}&of=content`} size="sm" reloadDocument download>
      <ExportName>content</ExportName>
    </ButtonLink>
  </div>
);

function PeriodInWords({ period, today, formerZones }: AnalyticsReport) {
  const { from, to } = period;
  const { timeZone } = useLocale();
  return (
    <p className="mt-4 text-sm text-muted">
      <DateTime at={from} format={formatLongDay} />
      {to !== from && (
        <span>
          {" "}
          to <DateTime at={to} format={formatLongDay} />
        </span>
      )}
      <span>{`${to === today ? ", today so far" : ""}. Days are in ${zoneName(timeZone)}. `}</span>
      {formerZones.map(({ timeZone: former, until }) => (
        <span key={until}>
          Until <DateTime at={until} format={formatLongDay} />
          <span>{`, they are in ${zoneName(former)}. `}</span>
        </span>
      ))}
      <a href="/how-we-count" className="link whitespace-nowrap">
        How we count
      </a>
    </p>
  );
}

const isEmpty = ({ cards, downloads }: AnalyticsReport) =>
  cards.views.value === null && downloads.total.value === null;

/** Two buttons fit beside each other on a phone. */
const ExportName = ({ children }: { children: string }) => (
  <span>
    Export <span>{children}</span>
    <span className="max-sm:sr-only"> (CSV)</span>
  </span>
);

/** For a site without figures yet. */
const NothingYet = () => (
  <p className="mt-4 max-w-2xl border-l-2 border-signal pl-4">
    Nothing was counted in this period. Figures start with your first visitor; your own visits aren’t counted
    while you’re signed in.
  </p>
);

const done = { noun: "Actions", counted: "Visits" };

const Report = ({ report }: { report: AnalyticsReport }) => (
  <>
    <Cards {...report} />
    <Days {...report} />
    <Content content={report.content} />
    <section
      aria-label="Sources and visits"
      className="gap-x-10 border-t border-rule pt-8 pb-8 *:mb-8 *:last:mb-0 *:break-inside-avoid md:columns-2 xl:columns-3"
    >
      <Counts
        of="sources"
        noun="Site"
        counted="Views"
        rows={report.sources.map(({ name, count }) => ({ name: sourceNames[name] ?? name, count }))}
      />
      <Counts of="reading" noun="Milestone" counted="Visits" rows={actionsOf("reading", report.actions)} />
      <Counts of="listening" {...done} rows={actionsOf("listening", report.actions)} />
      <Counts of="signups" noun="Form" counted="Visits" rows={actionsOf("signups", report.actions)} />
      <Counts of="sharing" {...done} rows={actionsOf("sharing", report.actions)} />
    </section>
    <Downloads {...report} />
    {report.letters && <Letters letters={report.letters} />}
  </>
);
