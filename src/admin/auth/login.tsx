import { useState } from "react";
import { redirect, useSearchParams } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, ApiError, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import {
  LoginInput,
  ResetRequest,
  ROBOT_CHECK,
  type SetupState,
  type SignInAnswer,
} from "#worker/accounts/contract.ts";
import { readSetupState } from "#worker/accounts/link-queries.ts";
import type { MailDestination } from "#worker/mail/contract.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import type { PasskeySignIn } from "#worker/webauthn/contract.ts";
import { z } from "../shell/zod.ts";
import { PasswordField, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { useFormResult } from "../form/result.ts";
import { intentOf, submit } from "../form/submit.ts";
import { ANSWER, PASSKEY, PasskeyLogin } from "./passkey-login.tsx";
import { CODE, CodeLogin, logInByCode, useHalfSignIn } from "./code-login.tsx";
import { requireKeptCookie } from "./kept-cookie.ts";
import { askForPasskey, signInByPasskey } from "./passkeys.ts";
import { LOGIN, safeNext } from "./paths.ts";
import { RobotCheck } from "./robot-check.tsx";
import { MAIL_NOTES, Screen, signedOutWords } from "./screen.tsx";
import type { Route } from "./+types/login";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (ctx.actor.kind === "user") throw redirect(safeNext(url.searchParams.get("next")));
  return {
    setup: await readSetupState(ctx),
    mailDestination: mailDestinationOf(ctx),
    turnstileKey: ctx.config.turnstile?.siteKey ?? null,
  };
}

const LOG_IN = "log-in";
const RESET_PASSWORD = "reset-password";

type Sent = { sentTo: string };

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const next = new URL(request.url).searchParams.get("next");
  switch (intentOf(form)) {
    case RESET_PASSWORD:
      return requestReset(form);
    case PASSKEY:
      return logInByPasskey(form, next);
    case CODE:
      return logInByCode(form, next);
    default:
      return logIn(form, next);
  }
}

const UNEXPECTED = "An error occurred during login. Please try again.";

/** With the answer to the offer in the email field, or else it asks for one. */
const logInByPasskey = (form: FormData, next: string | null) =>
  submit(form, {
    fields: { [ANSWER]: text },
    schema: z.object({ [ANSWER]: z.string().optional() }),
    words: signedOutWords(UNEXPECTED),
    async send({ answer }) {
      await signInByPasskey(answer ? (JSON.parse(answer) as PasskeySignIn) : await askForPasskey());
      await requireKeptCookie();
      return redirect(safeNext(next));
    },
  });

const logIn = (form: FormData, next: string | null) =>
  submit(form, {
    fields: { email: text, password: text, robotCheck: text },
    schema: LoginInput,
    words: signedOutWords(UNEXPECTED),
    async send(json) {
      const answer: SignInAnswer = await readJson(api.session.$post({ json })).catch(explainEnd);
      if ("signIn" in answer) return answer;
      await requireKeptCookie();
      return redirect(safeNext(next));
    },
  });

/** Cloudflare's own 503 for a request that took too long, as checking a password does on the free plan (error 1102). */
function explainEnd(error: unknown): never {
  const isPlatforms = error instanceof ApiError && error.status === 503 && error.code === "internal";
  if (!isPlatforms) throw error;
  const message =
    "Cloudflare ended this sign-in, because it took too long. It doesn’t count as a wrong password. Wait a minute, then try again.";
  throw new ApiError(error.status, { code: "unavailable", message });
}

const requestReset = (form: FormData) =>
  submit(form, {
    fields: { email: text },
    schema: ResetRequest,
    words: signedOutWords("An error occurred. Please try again."),
    async send(json): Promise<Sent> {
      await readJson(api["password-reset"].$post({ json }));
      return { sentTo: json.email };
    },
  });

/** The login, and its reset mode, which has an address of its own so that Back leaves it. */
export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const [email, setEmail] = useState("");
  const { signIn, leave } = useHalfSignIn(actionData);
  if (actionData && "sentTo" in actionData) {
    return <CheckYourEmail {...actionData} mailDestination={loaderData.mailDestination} />;
  }
  if (signIn) return <CodeLogin signIn={signIn} onBack={leave} />;
  const Mode = params.has("reset") ? ResetMode : Login;
  const { setup, turnstileKey } = loaderData;
  return <Mode setup={setup} turnstileKey={turnstileKey} email={email} onEmail={setEmail} />;
}

type ModeProps = {
  setup: SetupState;
  turnstileKey: string | null;
  /** Shared by both modes. */
  email: string;
  onEmail: (email: string) => void;
};

function Login({ setup, turnstileKey, email, onEmail }: ModeProps) {
  const [params] = useSearchParams();
  const result = useFormResult(LOG_IN);
  const isTried = result !== undefined;
  const isChecked = useStaysTrue(result?.errors?.message === ROBOT_CHECK);
  return (
    <Screen title="Admin Login" pageTitle="Login" text="Sign in to access the admin dashboard.">
      {params.has("ended") && !isTried && (
        <output className="mt-6 block border-l-4 border-signal pl-3 font-medium">
          Your session has ended. Sign in again to continue where you were.
        </output>
      )}
      <NotSetUp setup={setup} />
      <Form intent={LOG_IN} className="mt-6 grid gap-5">
        <EmailField email={email} onEmail={onEmail} autoComplete="username webauthn" />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        {isChecked && turnstileKey && <RobotCheck key={result?.at} siteKey={turnstileKey} />}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Submit>Sign in</Submit>
          <Link to={modePath(params, true)} className="link text-sm">
            Forgot your password?
          </Link>
        </div>
      </Form>
      <PasskeyLogin />
    </Screen>
  );
}

/** True from the first time on. */
function useStaysTrue(is: boolean) {
  const [was, setWas] = useState(false);
  if (is && !was) setWas(true);
  return was || is;
}

function ResetMode({ email, onEmail }: ModeProps) {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Reset Password"
      text="Enter the address you sign in with. We’ll send it a link to choose a new password."
    >
      <Form intent={RESET_PASSWORD} className="mt-6 grid gap-5">
        <EmailField email={email} onEmail={onEmail} />
        <ButtonRow>
          <Submit>Send reset link</Submit>
          <ButtonLink to={modePath(params, false)}>Back to Login</ButtonLink>
        </ButtonRow>
      </Form>
    </Screen>
  );
}

/** The same text whether or not the account exists. */
function CheckYourEmail({ sentTo, mailDestination }: Sent & { mailDestination: MailDestination }) {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Check Your Email"
      text={
        <span>
          If there is an account for <span>{sentTo}</span>, we sent it a reset link. The link works once and
          expires in 1 hour.
          <span>{MAIL_NOTES[mailDestination]}</span>
        </span>
      }
    >
      <ButtonRow className="mt-6">
        <ButtonLink tone="primary" to={modePath(params, false)}>
          Back to Login
        </ButtonLink>
      </ButtonRow>
    </Screen>
  );
}

type EmailFieldProps = Pick<ModeProps, "email" | "onEmail"> & { autoComplete?: string };

const EmailField = ({ email, onEmail, autoComplete = "username" }: EmailFieldProps) => (
  <TextField
    name="email"
    type="email"
    label="Email"
    autoComplete={autoComplete}
    required
    defaultValue={email}
    onChange={(event) => onEmail(event.target.value)}
  />
);

/** The address of a mode; keeps `next`. */
function modePath(params: URLSearchParams, isReset: boolean) {
  const next = params.get("next");
  const query = new URLSearchParams({ ...(isReset && { reset: "" }), ...(next && { next }) });
  return query.size > 0 ? `${LOGIN}?${query}` : LOGIN;
}

/** There is no default password: the owner chooses one. */
function NotSetUp({ setup }: { setup: SetupState }) {
  if (setup.state === "done") return null;
  return (
    <p className="mt-6 border-l-4 border-signal pl-3">
      <span>
        {setup.state === "open"
          ? `No admin is set up yet. The admin address is ${setup.email}. `
          : `Set-up isn’t finished: open the link in the email sent to ${setup.email}. `}
      </span>
      <Link to="/admin/setup" className="link">
        {setup.state === "open" ? "Set up the admin area" : "Set up again"}
      </Link>
    </p>
  );
}
