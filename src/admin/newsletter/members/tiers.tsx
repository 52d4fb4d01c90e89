import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import type { TierRow } from "#worker/members/contract.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { intentOf } from "../../form/submit.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { OrderedList, OrderedRow } from "../../lists/ordered-list.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { LIST, TIERS } from "./member-words.ts";
import { reorderTiers, tierActions } from "./save.ts";
import type { Route } from "./+types/tiers";

export const meta = pageTitle("Tiers");

export const loader = ({ context }: Route.LoaderArgs) => load(listTiers(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? tierActions.remove(form) : reorderTiers(form);
}

/** The tiers in their order, each with its members. */
export default function Tiers({ loaderData: { items }, actionData }: Route.ComponentProps) {
  return (
    <>
      <Link to={LIST} className="link mb-4 inline-block text-sm">
        All members
      </Link>
      <ListPage<TierRow>
        title="Tiers"
        actions={
          <ButtonLink to={`${TIERS}/new`} tone="primary">
            New tier
          </ButtonLink>
        }
        answer={actionData}
        noun="tier"
        renderText={({ name }) => (
          <p className="wrap-anywhere">
            “<span>{name}</span>” is deleted for good. A tier with members can’t be deleted: give them another
            tier first.
          </p>
        )}
      >
        {(ask) =>
          items.length === 0 ? (
            <EmptyState title="No tiers yet">
              Every membership is of a tier, such as Supporter or Patron. All it needs is a name.
            </EmptyState>
          ) : (
            <OrderedList items={items} label="Tiers" hint="From the lowest to the highest.">
              {(tier) => (
                <OrderedRow
                  name={tier.name}
                  to={`${TIERS}/${tier.id}`}
                  detail={tier.price}
                  status={counted(tier.members, "member")}
                  isShown={tier.members > 0}
                  onDelete={() => ask(tier)}
                />
              )}
            </OrderedList>
          )
        }
      </ListPage>
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch tiers");
