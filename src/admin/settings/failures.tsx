import { Link } from "#site/document/link.tsx";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import type { Failure } from "#worker/desk/contract.ts";
import { listFailures } from "#worker/desk/queries.ts";
import { ActionButton } from "../form/form.tsx";
import { act, intentOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import type { Route } from "./+types/failures";

export const meta = pageTitle("Failed deliveries");

export const loader = ({ context }: Route.LoaderArgs) => load(listFailures(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (intentOf(form) === "retry-all") {
    return act(form, async () => {
      const { retried } = await readJson(api.desk.deliveries.retry.$post());
      return `Tried again: ${retried}`;
    });
  }
  const param = { id: String(form.get("id")) };
  const route = form.get("kind") === "message" ? api.desk.messages[":id"] : api.desk.deliveries[":id"];
  return act(form, async () => {
    if (intentOf(form) === "retry") {
      await ensureOk(route.retry.$post({ param }));
      return "Trying it again";
    }
    await ensureOk(route.$delete({ param }));
    return "Dismissed";
  });
}

export default function Failures({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <section aria-labelledby="failures" className="grid gap-4">
      <h2 id="failures" className="text-lg font-semibold">
        Failed deliveries
      </h2>
      <p className="max-w-xl text-muted">
        Emails and other deliveries that failed after every attempt. Fix the cause first, such as the mail
        server, then try again. A dismissed delivery is never sent. Failures are deleted after 30 days.
      </p>
      {items.filter(({ kind }) => kind === "delivery").length > 1 && (
        <ActionButton intent="retry-all">Try all again</ActionButton>
      )}
      {items.length > 0 ? (
        <ul className="border-t border-rule">
          {items.map((failure) => (
            <FailureRow key={failure.id} failure={failure} />
          ))}
        </ul>
      ) : (
        <EmptyState title="Nothing has failed">
          Emails and other deliveries that fail for good are listed here.
        </EmptyState>
      )}
    </section>
  );
}

/** The outbox's topics as labels. */
const topicNames: Record<string, string> = {
  mail: "Email",
  "account-request": "Account email",
  "newsletter-request": "Newsletter sign-up",
  objects: "Deletion of stored files",
  picture: "Smaller copies of a picture",
  transcription: "Part of a recording to be transcribed",
  proposals: "Part of a transcript to be read",
  webhook: "Event for a webhook",
  websub: "WebSub notification",
  podping: "Podping notification",
};

const nameOf = ({ topic, mail }: Failure) =>
  mail?.subject || (topic === null ? "A deleted delivery" : (topicNames[topic] ?? topic));

function FailureRow({ failure }: { failure: Failure }) {
  const { id, kind, mail, attempts, error, at } = failure;
  const name = nameOf(failure);
  const about = kind === "message" ? "Its queue message failed" : `Given up after ${timesOf(attempts)}`;
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-rule py-4 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="grid gap-1">
        <h3 className="font-medium wrap-anywhere">
          {mail ? (
            <Link to={`/admin/settings/mails/${id}`} className="link">
              {name}
            </Link>
          ) : (
            name
          )}
        </h3>
        <p className="text-sm text-muted">
          {mail && <span className="wrap-anywhere">{`To ${mail.to}. `}</span>}
          <span>{`${about}, `}</span>
          <DateTime at={at} format={formatDateTime} />
        </p>
        {error && <p className="max-w-2xl text-sm wrap-anywhere text-danger">{error}</p>}
      </div>
      <ButtonRow>
        <ActionButton intent="retry" values={{ id, kind }} size="sm" aria-label={`Try again: ${name}`}>
          Try again
        </ActionButton>
        <ActionButton
          intent="dismiss"
          values={{ id, kind }}
          size="sm"
          tone="bare"
          aria-label={`Dismiss ${name}`}
        >
          Dismiss
        </ActionButton>
      </ButtonRow>
    </li>
  );
}

const timesOf = (attempts: number) => `${attempts} attempt${attempts === 1 ? "" : "s"}`;
