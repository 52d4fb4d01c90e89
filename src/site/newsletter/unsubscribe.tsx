import { siteContext } from "#site/context.ts";
import { readUnsubscription } from "#worker/newsletter/queries.ts";
import type { Route } from "./+types/unsubscribe.ts";
import { PageError } from "../page-error.tsx";
import { LinkAction, Screen, personal, unlisted } from "./link-page.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  return {
    token,
    link: await readUnsubscription(ctx, token),
    isDone: url.searchParams.has("done"),
  };
}

export const meta = unlisted;

/** The page of an email's unsubscribe link. One-click unsubscribe of mail programs does not use it. */
export default function Unsubscribe({ loaderData: { token, link, isDone } }: Route.ComponentProps) {
  if (isDone) return <Gone />;
  if (link.state === "invalid") return <Refused message={link.message} />;
  return (
    <LinkAction
      action="/api/newsletter/unsubscribe"
      token={token}
      title="Unsubscribe"
      text={`No more letters will be sent to ${link.email}.`}
      button="Unsubscribe"
      working="Unsubscribing"
      failure="That did not work. Please try again."
      done={<Gone />}
      Refused={Refused}
    />
  );
}

const Gone = () => (
  <Screen
    title="You are unsubscribed"
    text="No more letters will be sent. If you change your mind, the form at the foot of every page is there."
    ways={[{ to: "/", label: "Return to Home" }]}
    isGood
  />
);

const Refused = ({ message }: { message: string }) => (
  <Screen title="Unsubscribe failed" text={message} ways={[{ to: "/contact", label: "Contact" }]} />
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
