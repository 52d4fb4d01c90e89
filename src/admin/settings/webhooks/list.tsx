import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { Webhook } from "#worker/webhooks/contract.ts";
import { listWebhooks } from "#worker/webhooks/queries.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { eventNames, nameOf } from "./event-words.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Webhooks");

export const loader = ({ context }: Route.LoaderArgs) => load(listWebhooks(context.get(siteContext)));

/** The programs that are sent events. */
export default function Webhooks({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <section aria-labelledby="webhooks" className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h2 id="webhooks" className="text-lg font-semibold">
            Webhooks
          </h2>
          <p className="max-w-xl text-muted">
            This site can inform other programs when something happens here: a shop, a chat, an automation
            service. Each event is a signed request to an address of yours, within a minute.
          </p>
        </div>
        <ButtonLink to="/admin/settings/webhooks/new" tone="primary">
          Add a webhook
        </ButtonLink>
      </div>
      {items.length > 0 ? (
        <ul className="border-t border-rule">
          {items.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      ) : (
        <EmptyState title="No webhooks yet">
          The program that you want to inform gives you an address. Add it here.
        </EmptyState>
      )}
    </section>
  );
}

const Row = ({ webhook }: { webhook: Webhook }) => (
  <li className="grid gap-1 border-b border-rule py-4">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h3 className="min-w-0 font-medium wrap-anywhere">
        <Link to={`/admin/settings/webhooks/${webhook.id}`} className="link">
          <bdi>{nameOf(webhook)}</bdi>
        </Link>
      </h3>
      <WebhookState webhook={webhook} />
    </div>
    <p className="text-sm wrap-anywhere text-muted">{webhook.url}</p>
    <p className="max-w-2xl text-sm text-muted">
      {webhook.events.map((type) => eventNames[type]).join(" · ")}
    </p>
  </li>
);

/** Nothing for one that works. */
export function WebhookState({ webhook: { paused, failedAt, hasSecret } }: { webhook: Webhook }) {
  if (paused) return <Badge>Paused</Badge>;
  if (!hasSecret) return <Badge tone="danger">No secret</Badge>;
  return failedAt === null ? null : <Badge tone="danger">Failing</Badge>;
}
