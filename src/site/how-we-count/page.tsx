import type { ReactNode } from "react";
import { siteContext } from "#site/context.ts";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDay } from "#site/ui/format.ts";
import { Title } from "#site/ui/title.tsx";
import type { CountingReport } from "#worker/analytics/contract.ts";
import { readCountingReport } from "#worker/analytics/public-queries.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { LeftOut } from "./left-out.tsx";

const STANDFIRST =
  "What is read and heard here is counted by this site itself, without cookies and without following anybody. These are the rules, what was left out, and what cannot be known.";

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
    <article className="page pt-6 pb-8">
      <header className="grid gap-4 py-4 lg:py-10">
        <Title text="How We Count" />
        <p className="max-w-[38rem] font-reading text-lg text-muted">{STANDFIRST}</p>
      </header>
      <Downloads />
      <Reading keepDays={report.keepDays} />
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
      Counting follows IAB v2.3, the podcast measurement guidelines of the IAB Tech Lab. Nobody but us has
      checked that it does.
    </p>
    <ul>
      <li>
        A download is one listener, one episode and one day of UTC, once a minute of audio was requested.
        Bytes that are requested twice count once. An episode of less than a minute must be requested whole.
      </li>
      <li>
        A listener is an internet address with the name of an app. Both become a hash with a random value,
        which is deleted after its day; from then on nobody can tell who it was.
      </li>
      <li>
        Robots and data centres are not counted, nor are requests that only ask whether a file is there or has
        changed, the first two bytes that players try, and the second request of an Apple Watch.
      </li>
      <li>Of one network, at most 20 listeners of an episode are counted a day.</li>
    </ul>
  </Part>
);

const Reading = ({ keepDays }: { keepDays: number }) => (
  <Part title="Pages and listening here">
    <ul>
      <li>
        A page is viewed when it is shown, and once more when somebody comes back to it. Reading is the time
        that it was visible, beyond five seconds. Where it was scrolled to, what was played, and which
        networks were followed is counted, too; what was searched for or typed is not.
      </li>
      <li>
        A visitor is the same kind of hash, for one day. Nobody is known on the next, so the visitors of a
        month are those of its days added up.
      </li>
      <li>
        Nothing is counted of browsers that send Do Not Track or Global Privacy Control, of robots, and of
        those who run this site.
      </li>
      <li>
        Of one network, at most 20 visitors, 20 events of a kind on a page and 1,000 events are counted a day.
      </li>
      <li>{`Single events are deleted after ${keepDays} days. Their sums stay.`}</li>
    </ul>
  </Part>
);

const Unknown = ({ listsCheckedOn }: Pick<CountingReport, "listsCheckedOn">) => (
  <Part title="What cannot be known">
    <ul>
      <li>That an episode was requested does not mean that it arrived, or that anybody heard it.</li>
      <li>
        People who share an address and an app are one listener, and one person with two devices is two.
        Offices of more than 20 are counted short.
      </li>
      <li>
        Platforms that keep a copy of their own, and whoever passes a file on, count by themselves or not at
        all. Browsers that block counting are not seen.
      </li>
      <li>
        Robots and data centres that are not on our lists are counted as people. The lists were last checked
        on <DateTime at={listsCheckedOn} format={formatLongDay} />.
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
