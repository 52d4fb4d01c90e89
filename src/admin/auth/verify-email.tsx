import { parse } from "hono/utils/cookie";
import { useNavigation } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { setupCookieOf } from "#worker/accounts/cookie.ts";
import { VerificationConfirm, type BrokenLink, type VerificationLink } from "#worker/accounts/contract.ts";
import { readSetupState, readVerification } from "#worker/accounts/link-queries.ts";
import { PasswordField, PasswordOwner } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { submit } from "../form/submit.ts";
import { ContinueToLogin } from "./continue-to-login.tsx";
import { LOGIN } from "./paths.ts";
import { Screen, signedOutWords } from "./screen.tsx";
import type { Route } from "./+types/verify-email";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [link, setup] = await Promise.all([
    readVerification(ctx, url.searchParams.get("token") ?? "", setupProofOf(request)),
    readSetupState(ctx),
  ]);
  // Until the admin area is set up, there is no other user to verify.
  return { link, again: setup.state === "done" ? "/admin/verify-email/again" : "/admin/setup" };
}

/** The proof of the browser that sent the set-up form; empty for every other. */
function setupProofOf({ headers, url }: Request) {
  const { name } = setupCookieOf(url);
  return parse(headers.get("Cookie") ?? "", name)[name] ?? "";
}

/**
 * Opening the link changes nothing: mail scanners open every link, some in a real browser. The link of the set-up asks for
 * the password, except in the browser that sent the form, so that the owner does not confirm an account that a stranger set
 * up with the owner's address.
 */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return submit(await request.formData(), {
    fields: { password: text },
    schema: VerificationConfirm.omit({ token: true }),
    words: signedOutWords("Failed to verify email. Please try again."),
    // Since the page was opened, the link was used or has expired, or the password is needed after all.
    reloadOn: ["token", "password"],
    async send({ password }) {
      const { isSignedIn } = await readJson(api.verification.confirm.$post({ json: { token, password } }));
      return { isDone: true as const, isSignedIn };
    },
  });
}

export default function VerifyEmail({ loaderData: { link, again }, actionData }: Route.ComponentProps) {
  if (actionData && "isDone" in actionData) {
    return (
      <ContinueToLogin
        title="Email verified"
        text="Your email address is confirmed."
        isSignedIn={actionData.isSignedIn}
      />
    );
  }
  return link.state === "ready" ? <Ready link={link} /> : <Broken link={link} again={again} />;
}

type ReadyLink = Extract<VerificationLink, { state: "ready" }>;

/** Stays mounted while the form is sent, so that typed values stay. */
function Ready({ link }: { link: ReadyLink }) {
  const isSending = useNavigation().state === "submitting";
  const about = isSending
    ? { title: "Verifying your email", text: "One moment." }
    : { title: "Verify your email", text: texts[link.kind](link) };
  return (
    <Screen {...about}>
      <Form className="mt-6 grid gap-5">
        {link.needsPassword && <SetupPassword email={link.email} />}
        <ButtonRow>
          <Submit>Confirm email address</Submit>
        </ButtonRow>
      </Form>
    </Screen>
  );
}

const SetupPassword = ({ email }: { email: string }) => (
  <>
    <PasswordOwner email={email} />
    <PasswordField
      name="password"
      label="Password"
      autoComplete="current-password"
      help="The one you chose during set-up."
    />
  </>
);

const texts: Record<ReadyLink["kind"], (link: ReadyLink) => string> = {
  setup: ({ email, fullName, needsPassword }) =>
    `${fullName} set up the admin area for ${email}. If that was you, confirm the address ${needsPassword ? "with the password you chose" : "to sign in"}. If not, close this page.`,
  user: ({ email, fullName }) =>
    `${fullName}, an account was created for you with ${email}. Confirm the address to sign in with the password you were given.`,
  address: ({ email, fullName }) =>
    `${fullName} will sign in as ${email} from now on. If that’s you, confirm the address. If not, close this page.`,
};

const titles = {
  missing: "Verification failed",
  invalid: "Verification failed",
  expired: "Link expired",
  used: "Link already used",
};

const Broken = ({ link: { state, message }, again }: { link: BrokenLink; again: string }) => (
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
