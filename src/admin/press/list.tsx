import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDay, isoDate } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { PressListQuery, type PressRow } from "#worker/press/contract.ts";
import { listPressItems } from "#worker/press/owner-queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { BinLink } from "../lists/bin-link.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { RowActions } from "../lists/row-actions.tsx";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { statusNames, typeNames } from "./press-types.ts";
import { pressActions } from "./save.ts";
import type { Route } from "./+types/list";

const PATH = "/admin/media";

export const meta = pageTitle("Media Management");

export async function loader({ context, url }: Route.LoaderArgs) {
  const query = listQueryOf(url.searchParams, PressListQuery, "media items");
  return { ...(await load(listPressItems(context.get(siteContext), query))), query };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  pressActions.remove(await request.formData());

export default function PressList({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, query } = loaderData;
  const { before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <ListPage<PressRow>
      title="Media Management"
      actions={
        <ButtonLink to={`${PATH}/new`} tone="primary">
          New media item
        </ButtonLink>
      }
      answer={actionData}
      noun="media item"
      renderText={({ title }) => (
        <p className="wrap-anywhere">
          “<span>{title}</span>” leaves the site, and moves to the bin for 30 days. To hide it for a while,
          make it a draft instead.
        </p>
      )}
    >
      {(ask) => (
        <>
          <Filters filters={filters} />
          {items.length === 0 ? (
            <Nothing isFiltered={isFiltered || before !== undefined} />
          ) : (
            <PressTable items={items} onDelete={ask} />
          )}
          <ListPages path={PATH} query={query} count={items.length} next={next} noun="media items" />
          <BinLink />
        </>
      )}
    </ListPage>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No media items found">Try other words, or clear the search.</EmptyState>
  ) : (
    <EmptyState title="No media items yet">
      Add the first one: your own press release, or what others wrote. All it needs is a title and a summary.
    </EmptyState>
  );

const Filters = ({ filters }: { filters: Omit<PressListQuery, "before"> }) => (
  <ListFilters path={PATH} filters={filters}>
    <FilterSelect label="Type" name="type" value={filters.type} options={Object.entries(typeNames)} />
    <FilterSelect label="Status" name="status" value={filters.status} options={Object.entries(statusNames)} />
  </ListFilters>
);

type TableProps = { items: PressRow[]; onDelete: (item: PressRow) => void };

const PressTable = ({ items, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm">
    <TableHead columns={["Title", "Type", "Date", "Status", ACTIONS]} cardsBelow="sm" />
    <tbody>
      {items.map((item) => (
        <tr
          key={item.id}
          className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0"
        >
          <td className="col-span-2 font-medium wrap-anywhere">
            <Link
              to={`/admin/media/${item.id}`}
              dir="auto"
              className="py-1 underline-offset-4 hover:underline"
            >
              {item.title}
            </Link>
            {item.outlet && <p className="font-normal text-muted">{item.outlet}</p>}
          </td>
          <td className="text-muted sm:whitespace-nowrap">{typeNames[item.type]}</td>
          <td className="text-muted figures max-sm:text-right sm:whitespace-nowrap">
            <DateTime at={item.date} format={formatShortDay} dateTime={isoDate(item.date).slice(0, 10)} />
          </td>
          <td className="max-sm:self-center">
            <Badge tone={item.published ? "accent" : "neutral"}>
              {item.published ? statusNames.published : statusNames.draft}
            </Badge>
          </td>
          <td className="text-right whitespace-nowrap">
            <RowActions to={`/admin/media/${item.id}`} name={item.title} onDelete={() => onDelete(item)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const ErrorBoundary = errorPage("Failed to fetch media items");
