import type { ReactNode } from "react";
import { siteContext } from "#site/context.ts";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDay } from "#site/ui/format.ts";
import { PageHead } from "#site/ui/title.tsx";
import { zoneName } from "#site/ui/zone-name.ts";
import type { CountingReport } from "#worker/analytics/contract.ts";
import { readCountingReport } from "#worker/analytics/public-queries.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { LeftOut } from "./left-out.tsx";

const STANDFIRST =
  "This site counts its own visits and downloads, without cookies and without following anyone. Here are the rules, what was left out, and what can’t be known.";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, report] = await Promise.all([readSiteAndShow(ctx), readCountingReport(ctx)]);
  return {
    report,
    meta: describePage(ctx, site, {
      title: "How We Count",
      description: STANDFIRST,
      path: "/how-we-count",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function HowWeCount({ loaderData: { report } }: Route.ComponentProps) {
  return (
    <article className="page pb-8">
      <PageHead title="How We Count" standfirst={STANDFIRST} />
      <Downloads />
      <Reading keepDays={report.keepDays} />
      <OwnDays {...report} />
      <Part title="What was left out" note={<Days period={report.period} />} isText={false}>
        <LeftOut report={report} />
      </Part>
      <Unknown listsCheckedOn={report.listsCheckedOn} />
    </article>
  );
}

const Downloads = () => (
  <Part title="Downloads">
    <p>
      Counting follows IAB v2.3, the podcast measurement guidelines of the IAB Tech Lab. No one else has
      checked it.
    </p>
    <ul>
      <li>
        A download is one listener, one episode and one UTC day, once a minute of audio was requested. Bytes
        requested twice count once. An episode shorter than a minute must be requested in full.
      </li>
      <li>
        A listener is an IP address with the name of an app. Both become a hash with a random value, which is
        deleted after that day. From then on, no one can tell who it was.
      </li>
      <li>
        Robots and data centres aren’t counted. Nor are requests that only check whether a file exists or has
        changed, the first two bytes that players try, and the second request of an Apple Watch.
      </li>
      <li>At most 20 listeners from one network are counted per episode and day.</li>
    </ul>
  </Part>
);

const Reading = ({ keepDays }: { keepDays: number }) => (
  <Part title="Pages and listening here">
    <ul>
      <li>
        A page view counts when a page is shown, and again when a visitor returns to it. Reading time is how
        long the page was visible, beyond five seconds. Scrolling, plays and followed networks are counted
        too; searches and typed text aren’t.
      </li>
      <li>
        A visitor is the same kind of hash, for one of this site’s days. Visitors aren’t recognised the next
        day, so a month’s visitors are its days added up.
      </li>
      <li>
        Nothing is counted for browsers that send Do Not Track or Global Privacy Control, for robots, and for
        the people who run this site.
      </li>
      <li>
        From one network, at most 20 visitors, 20 events of a kind on a page and 1,000 events are counted per
        day.
      </li>
      <li>{`Single events are deleted after ${keepDays} days. Their totals stay.`}</li>
    </ul>
  </Part>
);

const OwnDays = ({ timeZone, keepDays }: CountingReport) => (
  <Part title="Days and time zones">
    <ul>
      <li>
        {`Figures are grouped by days in ${zoneName(timeZone)}, this site’s time zone, from midnight to midnight. A day has 23 or 25 hours when clocks change.`}
      </li>
      <li>
        The UTC day has one use. The guidelines count a listener once in a fixed day, so a listener who
        requests an episode before and after midnight UTC counts twice. Each download is shown on the day it
        was here.
      </li>
      <li>
        {`If this site’s time zone changes, up to ${keepDays} days are regrouped. Earlier days stay as they were.`}
      </li>
    </ul>
  </Part>
);

const Unknown = ({ listsCheckedOn }: Pick<CountingReport, "listsCheckedOn">) => (
  <Part title="What can’t be known">
    <ul>
      <li>A requested episode may not have arrived, and may not have been heard.</li>
      <li>
        People who share an address and an app count as one listener, and one person with two devices counts
        as two. Offices with more than 20 people are undercounted.
      </li>
      <li>
        Platforms that keep their own copy, and people who pass a file on, aren’t counted here. Browsers that
        block counting aren’t either.
      </li>
      <li>
        Robots and data centres that aren’t on our lists are counted as people. The lists were last checked on{" "}
        <DateTime at={listsCheckedOn} format={formatLongDay} />.
      </li>
    </ul>
  </Part>
);

const Days = ({ period: { from, to } }: Pick<CountingReport, "period">) => (
  <span>
    <DateTime at={from} format={formatLongDay} /> to <DateTime at={to} format={formatLongDay} />
  </span>
);

type PartProps = { title: string; note?: ReactNode; isText?: boolean; children: ReactNode };

const Part = ({ title, note, isText = true, children }: PartProps) => (
  <section className="grid grid-cols-1 gap-x-10 gap-y-4 border-t border-rule pt-5 pb-12 lg:grid-cols-12">
    <header className="lg:col-span-4">
      <h2 className="text-base font-semibold">{title}</h2>
      {note && <p className="kicker">{note}</p>}
    </header>
    <div className={cx("min-w-0 lg:col-span-8", isText && "reading")}>{children}</div>
  </section>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
