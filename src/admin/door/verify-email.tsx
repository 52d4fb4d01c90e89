import { useEffect } from "react";
import { useNavigate, useNavigation } from "react-router";
import { answerOf, api } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { readVerification } from "#worker/accounts/setup.ts";
import { titled } from "../titled.ts";
import { DoorForm, problemsOf, Submit } from "./form.tsx";
import { LOGIN } from "./next.ts";
import type { Route } from "./+types/verify-email";

/** Milliseconds until the login follows by itself. */
const REDIRECT_AFTER = 3000;

export const meta = titled("Verify email");

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readVerification(context.get(siteContext), url.searchParams.get("token") ?? "");

/**
 * Only a press of the button confirms. Scanners open every link in a mail, some with a whole browser: were opening
 * enough, a stranger who filled in the setup form could be let in by the owner's own mail program.
 */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const answer = await problemsOf(
    () => answerOf(api.verification.confirm.$post({ json: { token } })),
    "Failed to verify email. Please try again.",
  );
  return "errors" in answer ? { message: answer.errors.token ?? answer.failure ?? "" } : { message: null };
}

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const isSending = useNavigation().state === "submitting";
  if (actionData?.message === null) return <Success />;
  if (isSending) return <Screen title="Verifying your email" text="One moment." />;
  if (actionData) return <Refused message={actionData.message} />;
  if (loaderData.state !== "ready") return <Refused message={loaderData.message} />;
  return <Ready email={loaderData.email} fullName={loaderData.fullName} />;
}

const Ready = ({ email, fullName }: { email: string; fullName: string }) => (
  <Screen
    title="Verify your email"
    text={`${fullName} set up the admin area for ${email}. If that was you, confirm the address. If not, close this page: confirming would let in whoever chose the password.`}
  >
    <DoorForm>
      <ButtonRow>
        <Submit>Confirm e-mail address</Submit>
      </ButtonRow>
    </DoorForm>
  </Screen>
);

function Success() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(LOGIN), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Screen title="Email verified" text="Your e-mail address is confirmed. The login follows in a moment.">
      <ButtonRow className="mt-6">
        <ButtonLink tone="primary" to={LOGIN}>
          Go to Login
        </ButtonLink>
      </ButtonRow>
    </Screen>
  );
}

const Refused = ({ message }: { message: string }) => (
  <Screen title={message.includes("expired") ? "Link expired" : "Verification failed"} text={message}>
    <ButtonRow className="mt-6">
      <ButtonLink tone="primary" to="/admin/setup">
        Request New Verification
      </ButtonLink>
      <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
    </ButtonRow>
  </Screen>
);

const Screen = ({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) => (
  <>
    <h1 className="text-xl font-semibold">{title}</h1>
    <output className="mt-2 block text-muted">{text}</output>
    {children}
  </>
);
