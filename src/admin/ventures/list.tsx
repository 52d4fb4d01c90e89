import { useNavigation, useSubmit } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { SortableList } from "#site/ui/sortable-list.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { VentureRow } from "#worker/ventures/contract.ts";
import { listVentures } from "#worker/ventures/owner-queries.ts";
import { ErrorPage } from "../shell/error-page.tsx";
import { intentOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { useOrder } from "../lists/order.ts";
import { pageTitle } from "../shell/page-title.ts";
import { useDeleteQuestion } from "../lists/use-delete-question.ts";
import { deleteVenture, reorderVentures } from "./save.ts";
import { VentureCard } from "./venture-card.tsx";
import type { Route } from "./+types/list";

export const meta = pageTitle("Ventures");

export const loader = ({ context }: Route.LoaderArgs) => load(listVentures(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? deleteVenture(form) : reorderVentures(form);
}

export default function VentureList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: ventures, reorder } = useOrder(loaderData.items);
  const deletion = useDeleteQuestion<VentureRow>(actionData);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Ventures</h1>
        <ButtonLink to="/admin/ventures/new" tone="primary">
          Add venture
        </ButtonLink>
      </header>
      {ventures.length === 0 ? (
        <EmptyState title="No ventures yet">
          Add the first one. All it needs is a name and a description. Visitors find it on the About page.
        </EmptyState>
      ) : (
        <>
          {ventures.length > 1 && (
            <p className="mb-4 max-w-xl text-sm text-muted">
              Visitors see active ventures in this order. Drag them by their handles, or use the arrows.
            </p>
          )}
          <SortableList items={ventures} total={ventures.length} label="Ventures" onMove={reorder}>
            {(venture) => <VentureCard venture={venture} onDelete={deletion.ask} />}
          </SortableList>
        </>
      )}
      <DeleteDialog venture={deletion.item} onClose={deletion.close} />
    </>
  );
}

type DialogProps = { venture: VentureRow | null; onClose: () => void };

function DeleteDialog({ venture, onClose }: DialogProps) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={venture !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this venture?"
      confirm="Delete venture"
      busy={isBusy}
      onConfirm={() => venture && void submit({ intent: "delete", id: venture.id }, { method: "post" })}
    >
      <p className="wrap-anywhere">
        “<span>{venture?.name}</span>” is removed from the site for good. To hide it for a while, make it
        inactive instead.
      </p>
    </ConfirmDialog>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <ErrorPage error={error} failed="Failed to fetch ventures" />
);
