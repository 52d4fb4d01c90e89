import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { Button } from "#site/ui/button.tsx";
import { kindOfKey, type BinItem } from "#worker/bin/contract.ts";
import { listBin } from "#worker/bin/queries.ts";
import { ListQuery } from "#worker/platform/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { act } from "../form/submit.ts";
import { BIN } from "../lists/bin-link.tsx";
import { ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { DeleteDialog, useDeleteQuestion } from "../lists/list-page.tsx";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { binNames, restoredWords } from "../lists/undo-deletion.ts";
import { requireTab } from "../shell/guard.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import type { Route } from "./+types/page";

// Those who may delete nothing have no tab.
export const middleware = requireTab("articles");

export const meta = pageTitle("Bin");

export async function loader({ context, url }: Route.LoaderArgs) {
  const query = listQueryOf(url.searchParams, ListQuery, "deleted items");
  return { ...(await load(listBin(context.get(siteContext), query))), query };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const key = String(form.get("id"));
  return act(form, async () => {
    if (form.get("intent") === "delete") {
      await ensureOk(api.bin[":key"].$delete({ param: { key } }));
      return "Deleted for good";
    }
    await ensureOk(api.bin[":key"].restore.$post({ param: { key } }));
    return restoredWords(kindOfKey(key));
  });
}

/** Deleted items of every kind. */
export default function Bin({ loaderData: { items, next, query }, actionData }: Route.ComponentProps) {
  const deletion = useDeleteQuestion<BinItem>(actionData);
  return (
    <>
      <h1 className="text-xl font-semibold">Bin</h1>
      <p className="mt-1 mb-6 max-w-prose text-sm text-muted">
        What you delete can be restored for 30 days, as it was. Its address stays reserved until then.
      </p>
      {items.length === 0 ? (
        <EmptyState title={query.before === undefined ? "The bin is empty" : "Nothing older"}>
          Deleted articles, episodes, media items, letters, files and enquiries appear here.
        </EmptyState>
      ) : (
        <BinTable items={items} onDelete={deletion.ask} />
      )}
      <ListPages path={BIN} query={query} count={items.length} next={next} noun="deleted items" />
      <EraseDialog item={deletion.item} onClose={deletion.close} />
    </>
  );
}

const nameOf = ({ kind, title }: BinItem) => title || `Untitled ${binNames[kind].toLowerCase()}`;

type TableProps = { items: BinItem[]; onDelete: (item: BinItem) => void };

const BinTable = ({ items, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead columns={["Name", "Kind", "Deleted", "Gone for good on", ACTIONS]} cardsBelow="md" />
    <tbody>
      {items.map((item) => (
        <tr
          key={item.key}
          className="grid gap-y-1 border-t border-rule py-3 md:table-row md:py-0 md:*:py-3 md:*:pr-4 md:*:last:pr-0"
        >
          <td dir="auto" className="font-medium wrap-anywhere">
            {nameOf(item)}
          </td>
          <td className="text-muted md:whitespace-nowrap">{binNames[item.kind]}</td>
          <td className="text-muted">
            <span className="md:hidden">Deleted </span>
            <DateTime at={item.deletedAt} format={formatShortDate} className="whitespace-nowrap" />
            {item.deletedBy !== null && <span className="wrap-anywhere">{` by ${item.deletedBy}`}</span>}
          </td>
          <td className="text-muted md:whitespace-nowrap">
            <span className="md:hidden">Gone for good on </span>
            <DateTime at={item.endsAt} format={formatShortDate} />
          </td>
          <td>
            <div className="flex items-center gap-2 whitespace-nowrap md:justify-end">
              <ActionButton
                intent="restore"
                values={{ id: item.key }}
                size="sm"
                aria-label={`Restore ${nameOf(item)}`}
              >
                Restore
              </ActionButton>
              <Button
                tone="bare"
                size="sm"
                aria-label={`Delete for good: ${nameOf(item)}`}
                onClick={() => onDelete(item)}
              >
                Delete for good
              </Button>
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

type DialogProps = { item: BinItem | null; onClose: () => void };

function EraseDialog({ item, onClose }: DialogProps) {
  const noun = item ? binNames[item.kind].toLowerCase() : "item";
  return (
    <DeleteDialog
      item={item && { ...item, id: item.key }}
      onClose={onClose}
      noun={noun}
      title={`Are you sure you want to delete this ${noun} for good?`}
      confirm="Delete for good"
      renderText={(deleted) => (
        <p className="wrap-anywhere">
          “<span>{nameOf(deleted)}</span>” and all that belongs to it can’t be restored afterwards.
        </p>
      )}
    />
  );
}
