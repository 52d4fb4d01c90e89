import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { Unsubscription } from "#worker/newsletter/contract.ts";
import { readUnsubscription } from "#worker/newsletter/queries.ts";
import type { Route } from "./+types/unsubscribe.ts";
import { PageError } from "../page-error.tsx";
import {
  Deletion,
  FAILURE,
  home,
  LinkForm,
  personal,
  Result,
  resultOf,
  Screen,
  unlisted,
  useLinkForm,
  type Link,
} from "./link-page.tsx";
import { TopicChoice } from "./topic-choice.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  return {
    token,
    link: await readUnsubscription(ctx, token),
    isDone: url.searchParams.has("done"),
    isDeleted: url.searchParams.has("deleted"),
  };
}

export const meta = unlisted;

/** The page of an email's unsubscribe link. One-click unsubscribe of mail programs does not use it. */
export default function Unsubscribe({ loaderData }: Route.ComponentProps) {
  const { token, link, isDone, isDeleted } = loaderData;
  if (isDone) return <Gone />;
  if (isDeleted) return <Deleted />;
  if (link.state === "invalid") return <Refused message={link.message} />;
  if (link.state === "gone") return <Nothing />;
  return <Choices token={token} subscription={link} />;
}

type Ready = Extract<Unsubscription, { state: "ready" }>;

/** One main button, and two alternatives. */
function Choices({ token, subscription }: { token: string; subscription: Ready }) {
  const leaving = useLinkForm("/api/newsletter/unsubscribe", token);
  const pausing = useLinkForm("/api/newsletter/pause", token);
  const deleting = useLinkForm("/api/newsletter/forget", token);
  const { topic, offer } = subscription;
  const choosing = useLinkForm(TOPICS, token);
  const stopping = useLinkForm(TOPICS, token, topic ? { leave: topic.id } : {});
  const result = [
    resultOf(leaving, <Gone />, Refused),
    resultOf(deleting, <Deleted />, Refused),
    resultOf(choosing, <Chosen />, Refused),
    resultOf(stopping, <Chosen />, Refused),
    resultOf(pausing, <Paused until={pauseOf(pausing)} {...subscription} />, Refused),
  ].find(Boolean);
  if (result) return <Result>{result}</Result>;
  const { email, isActive, pausedUntil } = subscription;
  const deletion = (
    <Deletion link={deleting} title="Delete my subscription" button="Delete subscription">
      <p>
        We delete your address from the list, when and how you subscribed, and which letters you were sent.
        Emails already sent are deleted after 30 days. A membership, comments and messages that you sent us
        stay.
      </p>
      <p>
        This also forgets that you unsubscribed: if your address is added from another list, letters may start
        again. To make sure they don’t, unsubscribe instead.
      </p>
    </Deletion>
  );
  if (!isActive) {
    return (
      <Screen title="No letters are sent" text={`${email} gets no letters.`}>
        {deletion}
      </Screen>
    );
  }
  const isWorking = leaving.isWorking;
  const choices = offer.topics.length > 0 && (
    <section className="grid w-full max-w-xl gap-3 border-t border-rule pt-6">
      <h2 className="text-lg font-semibold">Choose your letters</h2>
      {["topics-sent", "stop-sent"].map((id) => (
        <p key={id} id={id} className="hidden border-l-4 border-accent pl-4 target:block">
          Your letters are changed.
        </p>
      ))}
      <LinkForm link={choosing} name="topics" button="Save choice" tone="quiet" failure={FAILURE}>
        <TopicChoice {...offer} />
      </LinkForm>
    </section>
  );
  if (pausedUntil !== null) {
    return (
      <Screen
        title={isWorking ? UNSUBSCRIBING : "Your letters are paused"}
        text={<PausedText email={email} until={pausedUntil} />}
      >
        <LinkForm link={leaving} name="link" button="Unsubscribe" failure={FAILURE} />
        {choices}
        {deletion}
      </Screen>
    );
  }
  return (
    <Screen
      title={isWorking ? UNSUBSCRIBING : "Unsubscribe"}
      text={`No more letters will be sent to ${email}.`}
    >
      <LinkForm link={leaving} name="link" button="Unsubscribe" failure={FAILURE} />
      {topic && (
        <section className="grid w-full max-w-xl gap-3 border-t border-rule pt-6">
          <h2 className="text-lg font-semibold">Or stop this topic only</h2>
          <p className="text-muted wrap-anywhere">
            <span>{`You get no more letters on “${topic.name}”, and still those on your other topics.`}</span>
          </p>
          <LinkForm link={stopping} name="stop" button="Stop this topic" tone="quiet" failure={FAILURE}>
            <input type="hidden" name="leave" value={topic.id} />
          </LinkForm>
        </section>
      )}
      {choices}
      <section className="grid w-full max-w-xl gap-3 border-t border-rule pt-6">
        <h2 className="text-lg font-semibold">Or take a break</h2>
        <p className="text-muted">No letters for 30 days. Then they start again automatically.</p>
        <LinkForm link={pausing} name="pause" button="Pause for 30 days" tone="quiet" failure={FAILURE} />
      </section>
      {deletion}
    </Screen>
  );
}

const TOPICS = "/api/newsletter/topics";
const UNSUBSCRIBING = "Unsubscribing";

const pauseOf = ({ state }: Link) =>
  state.is === "done" ? (state.answer as { pausedUntil: number }).pausedUntil : 0;

const Gone = () => (
  <Screen
    title="You are unsubscribed"
    text="No more letters will be sent. If you change your mind, use the form at the bottom of any page."
    ways={[home]}
    isGood
  />
);

const Chosen = () => (
  <Screen
    title="Your letters are changed"
    text="From now on you get the letters that you chose. To change that again, use the link at the end of any letter."
    ways={[home]}
    isGood
  />
);

const Deleted = () => (
  <Screen
    title="Your subscription is deleted"
    text="We won’t send you any more letters."
    ways={[home]}
    isGood
  />
);

const Nothing = () => (
  <Screen
    title="This subscription is deleted"
    text="No letters are sent, and nothing about it is stored."
    ways={[home]}
  />
);

const Paused = ({ until, email }: { until: number; email: string }) => (
  <Screen
    title="Your letters are paused"
    text={<PausedText email={email} until={until} />}
    ways={[home]}
    isGood
  />
);

const PausedText = ({ email, until }: { email: string; until: number }) => (
  <span>
    No letters will be sent to <span>{email}</span> until <DateTime at={until} format={formatDateTime} />. To
    start again sooner, subscribe with the form at the bottom of the page.
  </span>
);

const Refused = ({ message }: { message: string }) => (
  <Screen title="Unsubscribe failed" text={message} ways={[{ to: "/contact", label: "Contact" }]} />
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
