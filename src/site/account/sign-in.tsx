import { useEffect } from "react";
import { useNavigate } from "react-router";
import { siteContext } from "#site/context.ts";
import { readSignIn } from "#worker/members/account/queries.ts";
import type { Route } from "./+types/sign-in.ts";
import { orErrorResponse } from "../loader.server.ts";
import { FAILURE, home, LinkAction, personal, Screen, unlisted } from "../newsletter/link-page.tsx";
import { PageError } from "../page-error.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  return { token, link: await orErrorResponse(readSignIn(ctx, token)) };
}

export const meta = unlisted;

/** Only the button signs in: mail scanners open every link, some in a whole browser. */
export default function SignIn({ loaderData: { token, link } }: Route.ComponentProps) {
  if (link.state === "invalid") return <Refused message={link.message} />;
  return (
    <LinkAction
      action="/api/member/session"
      token={token}
      title="Sign in"
      text={`As ${link.email}, on this device.`}
      button="Sign in"
      working="Signing in"
      failure={FAILURE}
      done={<SignedIn />}
      Refused={Refused}
    />
  );
}

/** On the way to the account. */
function SignedIn() {
  const navigate = useNavigate();
  useEffect(() => void navigate(ACCOUNT, { replace: true }), [navigate]);
  return <Screen title="You are signed in" text="" ways={[{ to: ACCOUNT, label: "Open your account" }]} />;
}

const ACCOUNT = "/account";

const Refused = ({ message }: { message: string }) => (
  <Screen
    title="This link doesn’t work"
    text={message}
    ways={[{ to: ACCOUNT, label: "Ask for a new link" }, home]}
  />
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
