import { useState, type ReactNode } from "react";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { DeliveryTo } from "#worker/letters/contract.ts";
import type { SubscriberDetails } from "#worker/newsletter/contract.ts";
import { readSubscriber } from "#worker/newsletter/owner-queries.ts";
import { errorPage } from "../../shell/error-page.tsx";
import { ActionButton } from "../../form/form.tsx";
import { load } from "../../shell/load.server.ts";
import { sourceName } from "../source-names.ts";
import { DeleteSubscriberDialog } from "./delete-dialog.tsx";
import { futureMemberNames, LIST, statusBadge, verifiedBadge } from "./subscriber-states.ts";
import { saveSubscriber } from "./save.ts";
import type { Route } from "./+types/subscriber";

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.email ?? "Subscriber"} · Admin` },
];

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readSubscriber(context.get(siteContext), params.id));

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSubscriber(request);

export default function SubscriberPage({ loaderData: subscriber }: Route.ComponentProps) {
  const [isAsked, setAsked] = useState(false);
  const { id, email, state } = subscriber;
  const isActive = state === "confirmed" || state === "pending";
  const [verified, status] = [verifiedBadge(subscriber), statusBadge(subscriber)];
  return (
    <>
      <Link to={LIST} className="link mb-4 inline-block text-sm">
        All subscribers
      </Link>
      <header className="mb-6 grid gap-3">
        <h1 className="text-xl font-semibold wrap-anywhere">{email}</h1>
        <p className="flex flex-wrap gap-2">
          <Badge tone={verified.tone}>{verified.label}</Badge>
          <Badge tone={status.tone}>{status.label}</Badge>
          {subscriber.futureMember !== null && <Badge tone="info">Future member</Badge>}
        </p>
      </header>
      <Facts subscriber={subscriber} />
      <Deliveries deliveries={subscriber.deliveries} />
      <ButtonRow className="mt-8">
        {isActive && (
          <ActionButton intent="unsubscribe" values={{ id }}>
            Unsubscribe
          </ActionButton>
        )}
        <Button tone="danger" onClick={() => setAsked(true)}>
          Delete
        </Button>
      </ButtonRow>
      {isActive && (
        <p className="mt-3 text-sm text-muted">
          After you unsubscribe them, only they can subscribe again, with the form on the site.
        </p>
      )}
      <DeleteSubscriberDialog
        subscriber={isAsked ? subscriber : null}
        onClose={() => setAsked(false)}
        goesTo="list"
      />
    </>
  );
}

function Facts({ subscriber }: { subscriber: SubscriberDetails }) {
  const { source, consent, subscribedAt, verifiedAt, unsubscribedAt, pausedUntil, state } = subscriber;
  const { blockedAt, blockedReason, softBounces, futureMember } = subscriber;
  return (
    <dl className="grid max-w-3xl gap-x-6 gap-y-3 border-t border-rule pt-4 text-sm sm:grid-cols-[auto_1fr]">
      <Fact name="Source">{sourceName(source)}</Fact>
      <Fact name="Subscribed">
        <DateTime at={subscribedAt} format={formatDateTime} />
      </Fact>
      <Fact name="Consent">{consent}</Fact>
      <Fact name="Verified">
        {verifiedAt === null ? "Not yet" : <DateTime at={verifiedAt} format={formatDateTime} />}
      </Fact>
      {futureMember !== null && <Fact name="Membership">{futureMemberNames[futureMember]}</Fact>}
      {subscriber.topics !== null && (
        <Fact name="Topics">{subscriber.topics.join(", ") || "None: only letters to all"}</Fact>
      )}
      {pausedUntil !== null && (
        <Fact name="Paused until">
          <DateTime at={pausedUntil} format={formatDateTime} />
        </Fact>
      )}
      {state === "unsubscribed" && unsubscribedAt !== null && (
        <Fact name="Unsubscribed">
          <DateTime at={unsubscribedAt} format={formatDateTime} />
        </Fact>
      )}
      {(state === "bounced" || state === "complained") && (
        <Fact name="Blocked">
          <span>{`${blockedReason ?? "No reason given."} `}</span>
          {blockedAt !== null && <DateTime at={blockedAt} format={formatDateTime} className="text-muted" />}
        </Fact>
      )}
      {softBounces > 0 && (
        <Fact name="Bounces in a row">{`${softBounces} of 3. After the third, no more letters are sent.`}</Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted max-sm:-mb-2">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
);

const Deliveries = ({ deliveries }: { deliveries: DeliveryTo[] }) => (
  <section aria-labelledby="letters" className="mt-8 max-w-3xl">
    <h2 id="letters" className="mb-3 font-semibold">
      Latest letters
    </h2>
    {deliveries.length === 0 ? (
      <p className="text-sm text-muted">No letters sent to this address yet.</p>
    ) : (
      <ul className="text-sm">
        {deliveries.map(({ letterId, subject, status, feedback, answer, settledAt }) => (
          <li key={letterId} className="grid gap-1 border-t border-rule py-2.5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium wrap-anywhere">{subject}</span>
              <Badge tone={deliveryTones[status]}>{deliveryNames[status]}</Badge>
              {feedback !== null && <Badge tone="danger">{feedbackNames[feedback]}</Badge>}
              {settledAt !== null && (
                <DateTime at={settledAt} format={formatDateTime} className="text-muted" />
              )}
            </p>
            {answer !== null && status !== "sent" && <p className="text-muted wrap-anywhere">{answer}</p>}
          </li>
        ))}
      </ul>
    )}
  </section>
);

const deliveryNames: Record<DeliveryTo["status"], string> = {
  queued: "Queued",
  sending: "Sending",
  sent: "Sent",
  failed: "Failed",
  skipped: "Skipped",
  uncertain: "Uncertain",
};

const deliveryTones = {
  queued: "neutral",
  sending: "info",
  sent: "accent",
  failed: "danger",
  skipped: "neutral",
  uncertain: "signal",
} as const satisfies Record<DeliveryTo["status"], string>;

const feedbackNames: Record<NonNullable<DeliveryTo["feedback"]>, string> = {
  bounced: "Bounced",
  complained: "Complained",
  unsubscribed: "Unsubscribed",
};

export const ErrorBoundary = errorPage();
