import { useNavigation } from "react-router";
import { answerOf, api } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import type { BrokenLink, VerificationLink } from "#worker/accounts/contract.ts";
import { readSetupState, readVerification } from "#worker/accounts/setup.ts";
import { titled } from "../titled.ts";
import { DoorForm, problemsOf, Submit } from "./form.tsx";
import { LoginFollows } from "./login-follows.tsx";
import { LOGIN } from "./next.ts";
import { Screen } from "./screen.tsx";
import type { Route } from "./+types/verify-email";

export const meta = titled("Verify email");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [link, setup] = await Promise.all([
    readVerification(ctx, url.searchParams.get("token") ?? ""),
    readSetupState(ctx),
  ]);
  // Until the area is set up, only its set-up can be waiting for a link.
  return { link, again: setup.state === "done" ? "/admin/verify-email/again" : "/admin/setup" };
}

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
  if (actionData?.message === null) {
    return <LoginFollows title="Email verified" text="Your e-mail address is confirmed." />;
  }
  if (isSending) return <Screen title="Verifying your email" text="One moment." />;
  const { link, again } = loaderData;
  if (link.state !== "ready") return <Refused link={link} again={again} />;
  if (actionData) return <Refused link={{ state: "invalid", message: actionData.message }} again={again} />;
  return <Ready {...link} />;
}

type ReadyLink = Extract<VerificationLink, { state: "ready" }>;

const Ready = (link: ReadyLink) => (
  <Screen title="Verify your email" text={texts[link.kind](link)}>
    <DoorForm>
      <ButtonRow>
        <Submit>Confirm e-mail address</Submit>
      </ButtonRow>
    </DoorForm>
  </Screen>
);

const texts: Record<ReadyLink["kind"], (link: ReadyLink) => string> = {
  setup: ({ email, fullName }) =>
    `${fullName} set up the admin area for ${email}. If that was you, confirm the address. If not, close this page: confirming would let in whoever chose the password.`,
  user: ({ email, fullName }) =>
    `An account was made for you, ${fullName}, under ${email}. Confirm the address to sign in with the password that you were given.`,
  address: ({ email, fullName }) =>
    `${fullName} will sign in as ${email} from now on. If that is you, confirm the address. If not, close this page.`,
};

const titles = {
  missing: "Verification failed",
  invalid: "Verification failed",
  expired: "Link expired",
  used: "Link already used",
};

const Refused = ({ link: { state, message }, again }: { link: BrokenLink; again: string }) => (
  <Screen title={titles[state]} text={message}>
    <ButtonRow className="mt-6">
      {state === "used" ? (
        <ButtonLink tone="primary" to={LOGIN}>
          Go to Login
        </ButtonLink>
      ) : (
        <>
          <ButtonLink tone="primary" to={again}>
            Request New Verification
          </ButtonLink>
          <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
        </>
      )}
    </ButtonRow>
  </Screen>
);
