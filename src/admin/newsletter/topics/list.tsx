import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import type { TopicRow } from "#worker/topics/contract.ts";
import { listTopics } from "#worker/topics/owner-queries.ts";
import { intentOf } from "../../form/submit.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { OrderedList, OrderedRow } from "../../lists/ordered-list.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { reorderTopics, TOPICS, topicActions } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Topics");

export const loader = ({ context }: Route.LoaderArgs) => load(listTopics(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? topicActions.remove(form) : reorderTopics(form);
}

/** The topics in their order, each with how many subscribers chose it. */
export default function Topics({ loaderData: { items }, actionData }: Route.ComponentProps) {
  return (
    <ListPage<TopicRow>
      title="Topics"
      actions={
        <ButtonLink to={`${TOPICS}/new`} tone="primary">
          New topic
        </ButtonLink>
      }
      answer={actionData}
      noun="topic"
      renderText={({ name }) => (
        <p className="wrap-anywhere">
          “<span>{name}</span>” is deleted for good, and subscribers lose their choice of it. A topic of an
          automatic letter, or of a letter that will still be sent, can’t be deleted. To offer it no longer,
          hide it instead.
        </p>
      )}
    >
      {(ask) =>
        items.length === 0 ? (
          <EmptyState title="No topics yet">
            With topics, subscribers choose which letters they get. Without them, each letter goes to
            everyone.
          </EmptyState>
        ) : (
          <>
            <p className="mb-4 max-w-xl text-sm text-muted">
              Subscribers who never chose get every letter. Those who chose some topics get no letters on a
              new one until they choose it, too.
            </p>
            <OrderedList items={items} label="Topics" hint="Subscribers see them in this order.">
              {(topic) => (
                <OrderedRow
                  name={topic.name}
                  to={`${TOPICS}/${topic.id}`}
                  detail={`Chosen by ${counted(topic.chosenBy, "subscriber")}`}
                  status={topic.isOffered ? "Offered" : "Hidden"}
                  isShown={topic.isOffered}
                  onDelete={() => ask(topic)}
                />
              )}
            </OrderedList>
          </>
        )
      }
    </ListPage>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch topics");
