import { cx } from "#site/ui/cx.ts";
import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, grouped } from "#site/ui/format.ts";
import { readBackups } from "#worker/backups/queries.ts";
import type { Report, System as SystemState, Use } from "#worker/system/contract.ts";
import { readSystem } from "#worker/system/queries.ts";
import { FormSection } from "../form/section.tsx";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { beginRun, CopiesSection } from "./copies-section.tsx";
import { megabytes, StateSection } from "./system-state.tsx";
import type { Route } from "./+types/system";

export const meta = pageTitle("System");

export const ErrorBoundary = errorPage("Failed to read the system’s state");

export const loader = ({ context }: Route.LoaderArgs) => {
  const ctx = context.get(siteContext);
  return load(
    Promise.all([readSystem(ctx), readBackups(ctx)]).then(([system, backups]) => ({ system, backups })),
  );
};

export const clientAction = async ({ request }: Route.ClientActionArgs) => beginRun(await request.formData());

/** How the site is, its copies, the plan, today's use of what it includes, and what happens at its limits. */
export default function System({ loaderData: { system, backups } }: Route.ComponentProps) {
  const isFree = system.plan === "free";
  return (
    <>
      <StateSection {...system.state} />
      <CopiesSection backups={backups} />
      <PlanSection plan={system.plan} />
      <UseSection {...system} />
      {isFree ? <LimitsSection /> : <BeyondSection />}
      {isFree && <SignInSection />}
    </>
  );
}

const PlanSection = ({ plan }: Pick<SystemState, "plan">) => (
  <FormSection title="Plan" help="The plan of Cloudflare Workers that this site is deployed for.">
    <p>
      {plan === "free"
        ? "The free plan. Its amounts are for a day, and Cloudflare refuses what goes beyond."
        : "The paid plan. Its amounts are for a month, and what goes beyond costs money."}
    </p>
    <p className="text-sm text-muted">
      To change it, change the plan of the Cloudflare account, then run{" "}
      <code className="whitespace-nowrap">{`npm run deploy -- --plan ${plan === "free" ? "paid" : "free"}`}</code>
      .
    </p>
  </FormSection>
);

const UseSection = ({ report, database, endsAt }: SystemState) => (
  <FormSection
    title="Today’s use"
    help="For the whole Cloudflare account: everything in it shares the plan’s amounts. The figures are some minutes old."
  >
    <ul className="grid gap-5">
      {report.state === "reported" && report.uses.map((use) => <UseRow key={use.of} {...use} />)}
      <UseRow {...database} />
    </ul>
    {report.state === "reported" && (
      <p className="text-sm text-muted">
        <span>The day ends at midnight UTC: </span>
        <DateTime at={endsAt} format={formatDateTime} />
      </p>
    )}
    {report.state === "failed" && <p className="text-danger">{report.reason}</p>}
    {report.state === "unset" && <HowToSet {...report} />}
  </FormSection>
);

const names: Record<Use["of"], string> = {
  requests: "Requests",
  rowsRead: "Database rows read",
  rowsWritten: "Database rows written",
  kvReads: "KV reads",
  kvWrites: "KV writes",
  queueOperations: "Queue operations",
  databaseBytes: "Size of the database",
};

const periods: Record<Use["per"], string> = { day: " a day", month: " a month", account: "" };

/** The share of the amount from which the next limit is near. */
const NEAR = 0.8;

function UseRow({ of, used, included, per }: Use) {
  const amountOf = of === "databaseBytes" ? megabytes : grouped;
  // Today's use says nothing of a month.
  const share = per === "month" ? null : used / included;
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{names[of]}</span>
        <span className="text-sm tabular-nums">
          <span>{`${amountOf(used)} of ${amountOf(included)}${periods[per]}`}</span>
          {share !== null && share >= NEAR && (
            <strong className="text-danger">{share >= 1 ? " · used up" : " · nearly used up"}</strong>
          )}
        </span>
      </p>
      {share !== null && (
        <span aria-hidden="true" className="block h-1 overflow-hidden bg-tint">
          <span
            className={cx("block h-full", share >= NEAR ? "bg-danger" : "bg-accent")}
            style={{ width: `${Math.min(100, share * 100)}%` }}
          />
        </span>
      )}
    </li>
  );
}

const HowToSet = ({ missing }: Extract<Report, { state: "unset" }>) => (
  <div className="grid gap-3">
    <p>A Worker doesn’t know its account’s use. To see requests, rows and operations here:</p>
    <ol className="grid list-decimal gap-2 pl-5">
      {missing.includes("CLOUDFLARE_ANALYTICS_TOKEN") && (
        <li>
          Make a token in the Cloudflare dashboard, with the permission Account Analytics: Read, and store it
          with <code className="wrap-anywhere">npx wrangler secret put CLOUDFLARE_ANALYTICS_TOKEN</code>.
        </li>
      )}
      {missing.includes("CLOUDFLARE_ACCOUNT_ID") && (
        <li>
          Run <code>npm run deploy</code> again, which sets{" "}
          <code className="wrap-anywhere">CLOUDFLARE_ACCOUNT_ID</code>.
        </li>
      )}
    </ol>
  </div>
);

const LimitsSection = () => (
  <FormSection title="At a limit" help="Until midnight UTC. Nothing that the site has accepted is lost.">
    <dl className="grid gap-4">
      <Limit name="Database rows">
        Readers still get cached pages. Forms and this admin area answer that the limit is reached, keep what
        was typed, and save nothing. Emails, letters, imports and scheduled items wait, and continue the next
        day.
      </Limit>
      <Limit name="Queue operations">
        Emails, letters and imports wait in the database, and continue the next day. Visits and downloads are
        stored without the queue. They are uncounted only if the database’s rows are used up as well.
      </Limit>
      <Limit name="Requests">
        Cloudflare shows visitors its own error page and doesn’t ask this site. Scheduled items are published
        and emails are sent the next day.
      </Limit>
      <Limit name="KV writes">
        New playlists and pictures for sharing are no longer limited for each visitor. Everything else works
        as before.
      </Limit>
      <Limit name="Size of the database">
        Nothing more is saved until something is deleted. Pages and feeds are shown as before.
      </Limit>
    </dl>
  </FormSection>
);

const Limit = ({ name, children }: { name: string; children: string }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{name}</dt>
    <dd className="text-sm text-muted">{children}</dd>
  </div>
);

const BeyondSection = () => (
  <FormSection title="Beyond these amounts">
    <p>Nothing stops. Cloudflare charges for each further million: docs/deploy.md has the prices.</p>
  </FormSection>
);

const SignInSection = () => (
  <FormSection title="Signing in" help="With a password, on the free plan.">
    <p>
      Checking a password takes about 90 ms of processor time, which makes stolen passwords expensive to
      guess. The free plan ends a request after 10 ms. Cloudflare tolerates a longer one now and then, so a
      single sign-in mostly works, and several in a row may not.
    </p>
    <p>
      An attempt that Cloudflare ended doesn’t count as a wrong password. Wait a minute, then try again. You
      stay signed in for up to 60 days. Choosing a new password takes as long.
    </p>
  </FormSection>
);
