import { siteContext } from "#site/context.ts";
import { readVerification } from "#worker/newsletter/queries.ts";
import type { Route } from "./+types/verify-email.ts";
import { orErrorResponse } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import type { PageHandle } from "./footer-form.tsx";
import { NewsletterForm } from "./form.tsx";
import { home, LinkAction, Screen, personal, unlisted } from "./link-page.tsx";
import { TopicChoice } from "./topic-choice.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  return {
    token,
    link: await orErrorResponse(readVerification(ctx, token)),
    /** The result for a browser without scripts, which is redirected here. */
    isConfirmed: url.searchParams.has("confirmed"),
  };
}

export const handle: PageHandle = { hasNewsletterForm: true };

export const meta = unlisted;

/** Only the button confirms: mail scanners open every link, some in a whole browser. */
export default function VerifyEmail({ loaderData: { token, link, isConfirmed } }: Route.ComponentProps) {
  if (isConfirmed) return <Confirmed />;
  if (link.state === "invalid") return <Refused message={link.message} />;
  if (link.state === "confirmed") return <ConfirmedBefore />;
  return (
    <LinkAction
      action="/api/newsletter/verify"
      token={token}
      title="Confirm your subscription"
      text={`We’ll send the letter to ${link.email}.`}
      button="Confirm subscription"
      working="Verifying your email"
      fields={link.offer.topics.length > 0 && <TopicChoice {...link.offer} />}
      failure="An error occurred during verification. Please try again."
      done={<Confirmed />}
      Refused={Refused}
    />
  );
}

const ways = [{ to: "/essays", label: "Read the essays" }, home];

const Confirmed = () => (
  <Screen
    title="You are subscribed"
    text="Your subscription is confirmed. You’ll get the next letter."
    ways={ways}
    isGood
  />
);

const ConfirmedBefore = () => (
  <Screen
    title="Already confirmed"
    text="Your subscription is already confirmed. There’s nothing left to do."
    ways={ways}
    isGood
  />
);

/** Shows the next step if the server's message only repeats the heading. */
const Refused = ({ message }: { message: string }) => (
  <Screen title={FAILED} text={message === FAILED ? AGAIN : message} ways={[home]}>
    <div id="newsletter" className="w-full">
      <NewsletterForm source="verify-email" />
    </div>
  </Screen>
);

const FAILED = "Verification failed";
const AGAIN = "The link works once, for 7 days. Subscribe again to get a new one.";

export const ErrorBoundary = () => (
  <PageError title="An error occurred during verification. Please try again." />
);
