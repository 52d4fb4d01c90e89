import { useSearchParams } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { isAllowed } from "#worker/access/capabilities.ts";
import type { EngagementRow } from "#worker/speaking/contract.ts";
import { listEngagements, readEngagementForEdit } from "#worker/speaking/owner-queries.ts";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { ListPage } from "../lists/list-page.tsx";
import { errorPage } from "../shell/error-page.tsx";
import { requireTab } from "../shell/guard.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { AddDialog, EditDialog } from "./engagement-dialog.tsx";
import { EngagementTable } from "./engagement-table.tsx";
import { engagementPaths, saveEngagement } from "./save.ts";
import type { Route } from "./+types/tab";

export const middleware = requireTab("speaking");

export const meta = pageTitle("Speaking Engagements");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const edit = url.searchParams.get("edit");
  const [list, edited] = await Promise.all([
    load(listEngagements(ctx, { before })),
    edit === null ? null : load(readEngagementForEdit(ctx, Number(edit))),
  ]);
  return { ...list, isLater: before !== undefined, edited, mayContact: isAllowed("audience", ctx) };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEngagement(request);

export default function SpeakingTab({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, isLater, edited, mayContact } = loaderData;
  const [params] = useSearchParams();
  return (
    <ListPage<EngagementRow>
      title="Speaking Engagements"
      actions={
        <ButtonLink to={engagementPaths.addPath(params)} tone="primary" state={FROM_LIST} preventScrollReset>
          Add Engagement
        </ButtonLink>
      }
      answer={actionData}
      noun="speaking engagement"
      confirm="Delete engagement"
      renderText={({ title }) => (
        <p className="wrap-anywhere">
          “<span>{title}</span>” is deleted for good, with its contact and notes. If it won’t take place, you
          can cancel it instead.
        </p>
      )}
    >
      {(ask) => (
        <>
          {items.length > 0 ? (
            <EngagementTable engagements={items} onDelete={ask} />
          ) : (
            <EmptyState
              title={
                isLater
                  ? "This page of the list is empty."
                  : "No speaking engagements found. Create your first one!"
              }
            />
          )}
          {(next || isLater) && (
            <ButtonRow className="mt-6">
              {isLater && <ButtonLink to="/admin/speaking">First engagements</ButtonLink>}
              {next && <ButtonLink to={`/admin/speaking?before=${next}`}>Earlier engagements</ButtonLink>}
            </ButtonRow>
          )}
          <AddDialog isOpen={params.has("add")} mayContact={mayContact} />
          <EditDialog engagement={edited} />
        </>
      )}
    </ListPage>
  );
}

export const ErrorBoundary = errorPage("Failed to load speaking engagements");
