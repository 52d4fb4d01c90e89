import { z } from "zod";
import { Link } from "#site/document/link.tsx";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, grouped } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import {
  addLogChecks,
  logFaultWords,
  NOTHING_CHECKED,
  securityEventNames,
  SecurityEventQuery,
  type LogCheckResult,
  type LogCheckSum,
} from "#worker/accounts/contract.ts";
import { readLogCheck } from "#worker/accounts/nightly-log-check.ts";
import { listLogUsers, listSecurityEvents } from "#worker/accounts/queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { afterDay, startOfDay } from "../lists/days.ts";
import { FilterSelect, listAddress, ListFilters, ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { ActionButton } from "../form/form.tsx";
import { act } from "../form/submit.ts";
import { DownloadButton } from "../shell/download-button.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { EventTable, LOG } from "./security-events.tsx";
import type { Route } from "./+types/security-log";

export const meta = pageTitle("Security log");

const day = z.iso.date();
/** The filters in the address; days are in the site's time zone. */
const LogFilters = SecurityEventQuery.omit({ since: true, until: true }).extend({
  from: day.optional(),
  /** The last day, inclusive. */
  to: day.optional(),
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, LogFilters, "events");
  const { timeZone } = await readSite(ctx);
  const { from, to, ...others } = query;
  const asked = {
    ...others,
    ...(from !== undefined && { since: startOfDay(from, timeZone) }),
    ...(to !== undefined && { until: afterDay(to, timeZone) }),
  };
  const [list, users, lastCheck] = await load(
    Promise.all([listSecurityEvents(ctx, asked), listLogUsers(ctx), readLogCheck(ctx)]),
  );
  const { before: _before, ...file } = asked;
  return { ...list, users, lastCheck, query, file: listAddress("/api/admin/security-events/export", file) };
}

const CHECK = "check";

/** Checks the chain part by part: an invocation has a limited number of statements. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return act(form, async () => {
    let check = NOTHING_CHECKED;
    for (let after: string | undefined; ;) {
      const part = await readJson(
        api["security-events"].check.$get({ query: { ...(after !== undefined && { after }) } }),
      );
      check = addLogChecks(check, part);
      if (part.next === null) return { intent: CHECK, at: Date.now(), errors: null, check };
      after = String(part.next);
    }
  });
}

/** The whole log, which can be searched and downloaded. */
export default function SecurityLog({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, users, lastCheck, query, file } = loaderData;
  const check = actionData && "check" in actionData ? actionData.check : null;
  const { before: _before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <section aria-labelledby="log" className="grid grid-cols-1">
      <p className="mb-2 text-sm">
        <Link to="/admin/settings/security" className="link">
          Security
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h2 id="log" className="text-lg font-semibold">
            Security log
          </h2>
          <p className="max-w-xl text-muted">
            Sign-ins, changes of accounts and settings, downloads, and what was refused. Entries are stored
            for a year, what strangers caused for 30 days.
          </p>
        </div>
        <ButtonRow>
          <ActionButton intent={CHECK}>Check the log</ActionButton>
          <DownloadButton to={file}>
            {isFiltered ? "Download these as CSV" : "Download as CSV"}
          </DownloadButton>
        </ButtonRow>
      </div>
      <div role="status" className="max-w-2xl empty:hidden">
        {check && <CheckResult {...check} />}
      </div>
      {!check && lastCheck && <NightlyResult {...lastCheck} />}
      <ListFilters path={LOG} filters={filters}>
        <FilterSelect
          label="Event"
          name="kind"
          value={filters.kind}
          options={Object.entries(securityEventNames).toSorted(([, a], [, b]) => a.localeCompare(b))}
          className="lg:max-w-44"
        />
        <FilterSelect
          label="User"
          name="user"
          value={filters.user}
          options={users.map((email) => [email, email])}
          className="lg:max-w-44"
        />
        <TextField
          label="From"
          name="from"
          type="date"
          defaultValue={filters.from}
          className="max-sm:col-span-2"
        />
        <TextField label="To" name="to" type="date" defaultValue={filters.to} className="max-sm:col-span-2" />
      </ListFilters>
      {items.length > 0 ? (
        <EventTable events={items} />
      ) : (
        <EmptyState title={isFiltered ? "No event matches" : "No events yet"}>
          {isFiltered
            ? "Try other words, or clear the filters."
            : "Every sign-in, account change and refused request is listed here."}
        </EmptyState>
      )}
      <ListPages path={LOG} query={query} count={items.length} next={next} noun="events" />
    </section>
  );
}

/** Quiet, unless an entry does not match. */
const NightlyResult = ({ finishedAt, ...result }: LogCheckResult) =>
  result.faults.length > 0 ? (
    <div className="max-w-2xl">
      <CheckResult {...result} />
    </div>
  ) : (
    <p className="mb-6 text-sm text-muted figures">
      <span>Checked automatically </span>
      <DateTime at={finishedAt} format={formatDateTime} />
      <span>{`: the log is whole, ${matches(result.checked)}. ${comparedWith(result.copies)}`}</span>
    </p>
  );

const matches = (checked: number) =>
  `${grouped(checked)} ${checked === 1 ? "entry matches" : "entries match"}`;

/** Only copies, which are outside of the database, show a chain that was computed again. */
const comparedWith = (copies: number) =>
  copies === 0
    ? "It was compared with no nightly copy: a log that was rewritten as a whole would not show."
    : `It was compared with ${grouped(copies)} nightly ${copies === 1 ? "copy" : "copies"}.`;

function CheckResult({ checked, erased, faults, more, copies }: LogCheckSum) {
  if (faults.length > 0)
    return (
      <div className="mb-6 grid gap-2 border-l-4 border-danger pl-3">
        <p className="font-medium">The log isn’t whole.</p>
        <ul className="grid list-disc gap-1 pl-5">
          {faults.map(({ id, is }) => (
            <li key={`${id} ${is}`}>{logFaultWords[is](id)}</li>
          ))}
          {more > 0 && <li>{`${grouped(more)} more entries don’t match.`}</li>}
        </ul>
        <p>{`Of the others, ${matches(checked)}. ${comparedWith(copies)} The CSV has the number of each entry.`}</p>
      </div>
    );
  const whole = `The log is whole: ${matches(checked)}.`;
  const without =
    erased > 0
      ? ` The addresses of ${grouped(erased)} were erased after 30 days, or with a person’s data.`
      : "";
  return <p className="mb-6 border-l-4 border-accent pl-3">{`${whole} ${comparedWith(copies)}${without}`}</p>;
}
