import { useSearchParams } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { SubscriberSummary } from "#worker/newsletter/contract.ts";
import { listSources, listSubscribers } from "#worker/newsletter/owner-queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { FROM_LIST } from "../../lists/dialog-address.ts";
import { errorPage } from "../../shell/error-page.tsx";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "../../lists/list-filters.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { useDeleteQuestion } from "../../lists/list-page.tsx";
import { sourceName } from "../source-names.ts";
import { AddDialog, subscriberPaths } from "./add-dialog.tsx";
import { DeleteSubscriberDialog } from "./delete-dialog.tsx";
import { IMPORT, LIST, stateNames } from "./subscriber-states.ts";
import { SubscriberFilters, toListQuery } from "./query.ts";
import { saveSubscriber } from "./save.ts";
import { SubscriberTable } from "./table.tsx";
import { DownloadButton } from "../../shell/download-button.tsx";
import type { Route } from "./+types/list";

/** The minimum width of a date input. */
const DAY = "max-sm:col-span-2";

export const meta = pageTitle("Subscribers");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, SubscriberFilters, "subscribers");
  const { timeZone } = await readSite(ctx);
  const [list, sources] = await load(
    Promise.all([listSubscribers(ctx, toListQuery(query, timeZone)), listSources(ctx)]),
  );
  return { ...list, sources, query };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSubscriber(request);

export default function SubscriberList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: subscribers, next, sources, query } = loaderData;
  const { before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  const [params] = useSearchParams();
  const deletion = useDeleteQuestion<SubscriberSummary>(actionData);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Subscribers</h1>
        <ButtonRow>
          <DownloadButton to="/api/admin/subscribers/export">Export CSV</DownloadButton>
          <ButtonLink to={IMPORT}>Import CSV</ButtonLink>
          <ButtonLink
            to={subscriberPaths.addPath(params)}
            tone="primary"
            state={FROM_LIST}
            preventScrollReset
          >
            Add subscriber
          </ButtonLink>
        </ButtonRow>
      </header>
      <ListFilters path={LIST} filters={filters}>
        <FilterSelect label="State" name="state" value={filters.state} options={Object.entries(stateNames)} />
        <FilterSelect
          label="Source"
          name="source"
          value={filters.source}
          options={sources.map((source) => [source, sourceName(source)])}
          className="lg:max-w-44"
        />
        <TextField label="From" name="from" type="date" defaultValue={filters.from} className={DAY} />
        <TextField label="To" name="to" type="date" defaultValue={filters.to} className={DAY} />
      </ListFilters>
      {subscribers.length === 0 ? (
        <Nothing isFiltered={isFiltered || before !== undefined} isMore={next !== null} />
      ) : (
        <SubscriberTable subscribers={subscribers} onDelete={deletion.ask} />
      )}
      <ListPages path={LIST} query={query} count={subscribers.length} next={next} noun="subscribers" />
      <AddDialog isOpen={params.has("add")} />
      <DeleteSubscriberDialog subscriber={deletion.item} onClose={deletion.close} />
    </>
  );
}

function Nothing({ isFiltered, isMore }: { isFiltered: boolean; isMore: boolean }) {
  if (isMore) {
    return (
      <EmptyState title="None among these">
        Many addresses match. Look through older ones, or type more of the address.
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title="No subscribers found">
        Try another part of the address, or clear the search.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No subscribers yet">
      Readers sign up with the forms on the site. You can also import a list.
    </EmptyState>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch subscribers");
