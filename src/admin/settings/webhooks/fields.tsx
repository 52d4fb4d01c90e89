import { useId } from "react";
import { Checkbox } from "#site/ui/controls.tsx";
import { Notes } from "#site/ui/field.tsx";
import { eventTypes, NewWebhook, type EventType, type Webhook } from "#worker/webhooks/contract.ts";
import { useFieldError } from "../../form/context.ts";
import { TextField } from "../../form/fields.tsx";
import { checkedValues, text } from "../../form/read.ts";
import { eventHelp, eventNames } from "./event-words.ts";

export const webhookForm = {
  fields: { url: text, description: text, events: checkedValues },
  schema: NewWebhook,
};

/** Beside a new secret. */
export const ABOUT_SECRET =
  "It is shown this once. Enter it at the program that receives the events: it proves that they come from this site.";

export const WebhookFields = ({ webhook }: { webhook?: Webhook }) => (
  <>
    <TextField
      name="url"
      type="url"
      label="Address"
      required
      maxLength={2000}
      defaultValue={webhook?.url}
      help="It starts with https://. Redirects are not followed."
    />
    <TextField
      name="description"
      label="Description"
      maxLength={120}
      defaultValue={webhook?.description}
      help="To recognise it later. Left empty, it is named after its address."
    />
    <Events chosen={webhook?.events ?? []} />
  </>
);

function Events({ chosen }: { chosen: EventType[] }) {
  const id = useId();
  const error = useFieldError("events");
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-3 text-sm font-medium">Events</legend>
      <Notes id={id} error={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        {eventTypes.map((type) => (
          <Checkbox
            key={type}
            name="events"
            value={type}
            label={eventNames[type]}
            help={eventHelp[type]}
            defaultChecked={chosen.includes(type)}
          />
        ))}
      </div>
    </fieldset>
  );
}
