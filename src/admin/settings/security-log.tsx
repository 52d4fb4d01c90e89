import { z } from "zod";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { TextField } from "#site/ui/field.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { securityEventNames, SecurityEventQuery } from "#worker/accounts/contract.ts";
import { listLogUsers, listSecurityEvents } from "#worker/accounts/queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { afterDay, startOfDay } from "../lists/days.ts";
import { FilterSelect, listAddress, ListFilters, ListPages, listQueryOf } from "../lists/list-filters.tsx";
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
  const [list, users] = await load(Promise.all([listSecurityEvents(ctx, asked), listLogUsers(ctx)]));
  const { before: _before, ...file } = asked;
  return { ...list, users, query, file: listAddress("/api/admin/security-events/export", file) };
}

/** The whole log, which can be searched and downloaded. */
export default function SecurityLog({ loaderData }: Route.ComponentProps) {
  const { items, next, users, query, file } = loaderData;
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
        <DownloadButton to={file}>{isFiltered ? "Download these as CSV" : "Download as CSV"}</DownloadButton>
      </div>
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
          {isFiltered ? "Try other words, or clear the filters." : "Every sign-in is listed here."}
        </EmptyState>
      )}
      <ListPages path={LOG} query={query} count={items.length} next={next} noun="events" />
    </section>
  );
}
