import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, grouped } from "#site/ui/format.ts";
import type { Delivery } from "#worker/webhooks/contract.ts";
import { ActionButton } from "../../form/form.tsx";
import { eventNames, stateNames } from "./event-words.ts";

type Props = {
  items: Delivery[];
  /** Of the button that sends one again. */
  intent: string;
  isPaused: boolean;
};

const tones = { waiting: "neutral", delivered: "accent", failed: "danger", unsent: "neutral" } as const;

/** The latest deliveries, each with the result of its latest try. */
export const Deliveries = ({ items, intent, isPaused }: Props) =>
  items.length > 0 ? (
    <ul className="divide-y divide-rule">
      {items.map((delivery) => (
        <Row key={delivery.id} delivery={delivery} intent={intent} isPaused={isPaused} />
      ))}
    </ul>
  ) : (
    <p className="text-muted">Nothing was sent yet. Send a test, or wait for an event.</p>
  );

type RowProps = Omit<Props, "items"> & { delivery: Delivery };

function Row({ delivery, intent, isPaused }: RowProps) {
  const { id, type, at, state, error, nextTry, messageId, response } = delivery;
  return (
    <li className="grid gap-x-4 gap-y-2 py-4 first:pt-0 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{eventNames[type]}</span>
          <Badge tone={tones[state]}>{stateNames[state]}</Badge>
        </p>
        <p className="text-sm text-muted figures">
          <DateTime at={at} format={formatDateTime} />
          <span>{resultOf(delivery)}</span>
        </p>
        {error && <p className="text-sm wrap-anywhere text-danger">{error}</p>}
        {nextTry !== null && delivery.tries > 0 && (
          <p className="text-sm text-muted figures">
            Next try <DateTime at={nextTry} format={formatDateTime} />
          </p>
        )}
        <details className="text-sm">
          <summary className="cursor-pointer text-muted">Details</summary>
          <dl className="mt-2 grid gap-2">
            <div>
              <dt className="text-muted">webhook-id</dt>
              <dd className="wrap-anywhere">{messageId}</dd>
            </div>
            <div>
              <dt className="text-muted">Response</dt>
              <dd className="wrap-anywhere whitespace-pre-wrap">{response || "Empty"}</dd>
            </div>
          </dl>
        </details>
      </div>
      {!isPaused && !isFresh(delivery) && (
        <ActionButton
          intent={intent}
          values={{ delivery: id }}
          size="sm"
          aria-label={`Send again: ${eventNames[type]}`}
        >
          Send again
        </ActionButton>
      )}
    </li>
  );
}

/** Its first try is about to begin. */
const isFresh = ({ state, tries }: Delivery) => state === "waiting" && tries === 0;

function resultOf({ status, durationMs, tries }: Delivery) {
  if (tries === 0) return "";
  const answer = status === null ? "no answer" : `answered ${status}`;
  const after = ` after ${grouped(durationMs ?? 0)} ms`;
  return ` · ${answer}${after} · ${tries} ${tries === 1 ? "try" : "tries"}`;
}
