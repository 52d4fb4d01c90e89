import { redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Link } from "#site/document/link.tsx";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { counted, formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { readLetter, readRecipientCount } from "#worker/letters/queries.ts";
import { blockingFindings } from "#worker/letters/check.ts";
import { DateTimeField } from "../form/date-time-field.tsx";
import { Form, Submit } from "../form/form.tsx";
import { dateTime } from "../form/read.ts";
import { FormSection } from "../form/section.tsx";
import { act, basedOnOf, intentOf, submit } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { draftWords, scheduledWords } from "../form/saved-words.ts";
import { toast } from "../shell/toast.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { CheckPanel, Findings } from "./check-panel.tsx";
import { isOpen, letterStatusNames, letterStatusTones, PATH } from "./letter-status.ts";
import { Stopped } from "./stopped.tsx";
import { awaitEnd } from "./use-progress.ts";
import type { Route } from "./+types/send";

export const meta = pageTitle("Send Newsletter");

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = Number(params.id);
  const letter = await load(readLetter(ctx, id));
  if (!isOpen(letter.status)) throw redirect(`${PATH}/${id}/report`);
  const [recipients, blocking] = await load(
    Promise.all([readRecipientCount(ctx, letter.values.segment), blockingFindings(ctx, letter.values)]),
  );
  return { letter, recipients, blocking };
}

/** Requires a time: without one it would be sent immediately. */
const Plan = z.strictObject({ scheduledFor: z.int("Choose a date and a time.") });

const SEND = "send";
const UNSCHEDULE = "unschedule";
/** The field with the reviewed version: unlike `basedOn` it does not offer to overwrite a newer one. */
const REVIEWED = "reviewed";
const FAILED = "Failed to send newsletter";

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const param = { id };
  if (intentOf(form) === UNSCHEDULE) {
    return act(form, async () => {
      await ensureOk(api.newsletters[":id"].unschedule.$post({ param }));
      return draftWords("Letter");
    });
  }
  if (intentOf(form) === SEND) {
    return act(
      form,
      async () => {
        // Before the answer, which may be lost: the report then shows the toast if it is opened by hand.
        awaitEnd(Number(id));
        await ensureOk(api.newsletters[":id"].send.$post({ param, json: { basedOn: basedOnOf(form) } }));
        return redirect(`${PATH}/${id}/report`);
      },
      { unexpected: FAILED },
    );
  }
  return submit(form, {
    fields: { scheduledFor: dateTime },
    schema: Plan,
    async send({ scheduledFor }) {
      const json = { scheduledFor, basedOn: Number(form.get(REVIEWED)) };
      await ensureOk(api.newsletters[":id"].send.$post({ param, json }));
      toast.success(scheduledWords("Letter", scheduledFor));
      return redirect(PATH);
    },
    words: { unexpected: FAILED },
    reloadOn: 409,
  });
}

/** The final review of a letter: recipients, blocking problems, and time. */
export default function SendPage({ loaderData: { letter, recipients, blocking } }: Route.ComponentProps) {
  const { id, values, status, scheduledFor, pausedReason } = letter;
  const cannotSend = recipients === 0 || blocking.length > 0;
  const isSending = useNavigation().formData?.get("intent") === SEND;
  const people = counted(recipients, "subscriber");
  return (
    <>
      <header className="mb-6 grid gap-3">
        <h1 className="text-xl font-semibold">Send Newsletter</h1>
        <p className="flex flex-wrap items-center gap-3">
          <Link to={`${PATH}/${id}`} className="link wrap-anywhere">
            {values.subject || "No subject"}
          </Link>
          <Badge tone={letterStatusTones[status]}>{letterStatusNames[status]}</Badge>
        </p>
        {pausedReason && <Stopped>{pausedReason}</Stopped>}
        {scheduledFor !== null && (
          <p>
            Scheduled to send <DateTime at={scheduledFor} format={formatDateTime} />.
          </p>
        )}
      </header>
      <div>
        <FormSection
          title="Recipients"
          help="Confirmed subscribers who match “Who gets it” and aren’t paused."
        >
          <p>
            {recipients === 0
              ? "No one would get this letter. Choose other recipients, or wait for your first subscriber."
              : `${people} right now. The list is fixed when sending starts.`}
          </p>
        </FormSection>
        <CheckPanel id={id} typed={values} />
        <FormSection title="Send now">
          {blocking.length > 0 && <Findings findings={blocking} />}
          <div className="flex flex-wrap gap-3">
            <ConfirmAction
              intent={SEND}
              label="Send Newsletter"
              title={`Send this letter to ${people}?`}
              confirm={`Send to ${people}`}
              tone="primary"
              buttonTone="primary"
              busy={isSending}
              values={{ basedOn: String(letter.updatedAt) }}
              disabled={cannotSend}
            >
              Sending starts straight away. You can pause or cancel, but emails already sent can’t be
              recalled.
            </ConfirmAction>
            <ButtonLink to={`${PATH}/${id}`}>Back to editing</ButtonLink>
          </div>
        </FormSection>
        <FormSection title="Send later">
          <Form intent="schedule">
            <input type="hidden" name={REVIEWED} value={letter.updatedAt} />
            <DateTimeField label="Date and time" name="scheduledFor" value={scheduledFor} isSchedule />
            <div className="flex flex-wrap gap-3">
              <Submit tone="quiet">{scheduledFor === null ? "Schedule" : "Change the time"}</Submit>
            </div>
          </Form>
          {scheduledFor !== null && (
            <div>
              <ConfirmAction
                intent={UNSCHEDULE}
                label="Unschedule"
                title="Unschedule this letter?"
                confirm="Make it a draft"
                tone="primary"
                busy={false}
              >
                The letter becomes a draft again. Nothing is lost.
              </ConfirmAction>
            </div>
          )}
        </FormSection>
      </div>
    </>
  );
}
