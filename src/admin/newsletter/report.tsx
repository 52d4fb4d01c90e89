import { data, redirect, useNavigation } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { ReportQuery } from "#worker/letters/contract.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { readAnswers } from "#worker/letters/answer-queries.ts";
import { listDeliveries, listLinks } from "#worker/letters/report-queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { DuplicateButton } from "../publishing/duplicate-button.tsx";
import { ActionButton } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { act, intentOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { Deliveries } from "./deliveries.tsx";
import { LinkPresses } from "./link-presses.tsx";
import { MailPreview } from "./mail-preview.tsx";
import { isOpen, letterStatusNames, letterStatusTones, PATH } from "./letter-status.ts";
import { END_QUESTION, QuestionResults } from "./question-results.tsx";
import { ReportFigures } from "./report-figures.tsx";
import { SendingProgress } from "./sending-progress.tsx";
import { useProgress } from "./use-progress.ts";
import type { Route } from "./+types/report";

export const meta = pageTitle("Letter");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = Number(params.id);
  const query = ReportQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success && url.search !== "")
    throw data({ message: "There’s no such list of deliveries." }, { status: 404 });
  const [letter, deliveries, links, answers, site] = await load(
    Promise.all([
      readLetter(ctx, id),
      query.success ? listDeliveries(ctx, id, query.data) : null,
      listLinks(ctx, id),
      readAnswers(ctx, id),
      readSite(ctx),
    ]),
  );
  if (isOpen(letter.status)) throw redirect(`${PATH}/${id}`);
  const hasArchive = site.newsletter.archive;
  return { letter, deliveries, of: query.success ? query.data.of : null, links, answers, hasArchive };
}

const one = api.newsletters[":id"];
const steps = {
  pause: { route: one.pause, done: "Letter paused" },
  resume: { route: one.resume, done: "Letter resumed" },
  cancel: { route: one.cancel, done: "Letter cancelled" },
  [END_QUESTION]: { route: one.question.end, done: "The question is closed" },
  resend: { route: one.resend, done: "Sending the letter again" },
};

const SHOW = "show";
const HIDE = "hide";

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const intent = intentOf(form);
  if (intent === SHOW || intent === HIDE) {
    return act(form, async () => {
      const json = { isPublic: intent === SHOW };
      await ensureOk(one.$patch({ param: { id }, json }));
      return json.isPublic ? "The letter is in the archive" : "The letter is no longer in the archive";
    });
  }
  const { route, done } = steps[intent as keyof typeof steps];
  return act(form, async () => {
    await ensureOk(route.$post({ param: { id } }));
    return done;
  });
}

/** A letter's report, also while it is being sent. */
export default function LetterReport({
  loaderData: { letter, deliveries, of, links, answers, hasArchive },
}: Route.ComponentProps) {
  const progress = useProgress(letter);
  const { counts } = progress;
  const isBusy = useNavigation().state === "submitting";
  return (
    <>
      <header className="mb-6 grid gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-xl font-semibold wrap-anywhere">{letter.subject}</h1>
          <Badge tone={letterStatusTones[progress.status]}>{letterStatusNames[progress.status]}</Badge>
        </div>
        <p className="text-sm text-muted">
          {letter.startedAt !== null && (
            <span>
              Started <DateTime at={letter.startedAt} format={formatDateTime} />
            </span>
          )}
          {letter.finishedAt !== null && (
            <span>
              , finished <DateTime at={letter.finishedAt} format={formatDateTime} />
            </span>
          )}
        </p>
        <div className="flex flex-wrap gap-3">
          <DuplicateButton kind="letter" id={letter.id} />
          {progress.status === "sending" && <ActionButton intent="pause">Pause</ActionButton>}
          {progress.status === "paused" && (
            <ActionButton intent="resume" tone="primary">
              Resume
            </ActionButton>
          )}
          {(progress.status === "sending" || progress.status === "paused") && (
            <ConfirmAction
              intent="cancel"
              label="Cancel letter"
              title="Cancel this letter?"
              confirm="Cancel letter"
              busy={isBusy}
            >
              <span>{counts.queued.toLocaleString("en")}</span> subscribers haven’t got it yet, and won’t.
              This can’t be undone.
            </ConfirmAction>
          )}
          {progress.status === "sent" && counts.uncertain > 0 && (
            <ConfirmAction
              intent="resend"
              label="Send again to uncertain"
              title="Send it again?"
              confirm="Send again"
              tone="primary"
              busy={isBusy}
            >
              We can’t tell whether these <span>{counts.uncertain.toLocaleString("en")}</span> got it. Some
              may get it twice, with the same Message-ID, which many email apps merge into one.
            </ConfirmAction>
          )}
        </div>
      </header>
      <SendingProgress progress={progress} />
      <ReportFigures counts={counts} id={letter.id} shown={of} />
      {deliveries && of && <Deliveries of={of} {...deliveries} />}
      {answers && <QuestionResults id={letter.id} report={answers} asked={counts.sent} isBusy={isBusy} />}
      <LinkPresses links={links} />
      {hasArchive && progress.status !== "cancelled" && (
        <Archive id={letter.id} isPublic={letter.values.isPublic} />
      )}
      <div className="mt-10">
        <MailPreview letter={letter.values} />
      </div>
    </>
  );
}

/** Whether it is in the public archive. */
const Archive = ({ id, isPublic }: { id: number; isPublic: boolean }) => (
  <FormSection title="Archive" help="Letters anyone can read on the site.">
    <p>
      {isPublic ? (
        <span>
          It’s in the archive,{" "}
          <a href={`/letters/${id}`} className="link">
            on its own page
          </a>
          .
        </span>
      ) : (
        "It isn’t in the archive: only recipients can read it."
      )}
    </p>
    {isPublic ? (
      <ActionButton intent={HIDE}>Remove from archive</ActionButton>
    ) : (
      <ActionButton intent={SHOW}>Show in archive</ActionButton>
    )}
  </FormSection>
);
