import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { Picture } from "#site/ui/picture.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { VentureRow } from "#worker/ventures/contract.ts";
import { listVentures } from "#worker/ventures/owner-queries.ts";
import { intentOf } from "../form/submit.ts";
import { ListPage } from "../lists/list-page.tsx";
import { OrderedList, OrderedRow } from "../lists/ordered-list.tsx";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { icons } from "./icons.ts";
import { reorderVentures, ventureActions } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Ventures");

export const loader = ({ context }: Route.LoaderArgs) => load(listVentures(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? ventureActions.remove(form) : reorderVentures(form);
}

export default function VentureList({ loaderData: { items: ventures }, actionData }: Route.ComponentProps) {
  return (
    <ListPage<VentureRow>
      title="Ventures"
      actions={
        <ButtonLink to="/admin/ventures/new" tone="primary">
          Add venture
        </ButtonLink>
      }
      answer={actionData}
      noun="venture"
      renderText={({ name }) => (
        <p className="wrap-anywhere">
          “<span>{name}</span>” is removed from the site for good. To hide it for a while, make it inactive
          instead.
        </p>
      )}
    >
      {(ask) =>
        ventures.length === 0 ? (
          <EmptyState title="No ventures yet">
            Add the first one. All it needs is a name and a description. Visitors find it on the About page.
          </EmptyState>
        ) : (
          <OrderedList items={ventures} label="Ventures" hint="Visitors see active ventures in this order.">
            {(venture) => (
              <>
                <Thumbnail {...venture} />
                <OrderedRow
                  name={venture.name}
                  to={`/admin/ventures/${venture.id}`}
                  detail={venture.url ? new URL(venture.url).host : "No website"}
                  status={venture.active ? "Active" : "Inactive"}
                  isShown={venture.active}
                  onDelete={() => ask(venture)}
                />
              </>
            )}
          </OrderedList>
        )
      }
    </ListPage>
  );
}

/** The picture, or else the icon. */
function Thumbnail({ picture, icon }: VentureRow) {
  const Icon = icons[icon];
  const frame = "size-14 shrink-0 rounded-sm bg-tint max-sm:hidden";
  if (picture) return <Picture picture={picture} sizes="3.5rem" className={`${frame} object-cover`} />;
  return (
    <span className={`${frame} grid place-items-center text-muted`}>
      <Icon aria-hidden size={22} strokeWidth={1.5} />
    </span>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch ventures");
