import { useState } from "react";
import { redirect, useSearchParams } from "react-router";
import { Link } from "#site/ui/link.tsx";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { LoginInput, ResetRequest, type SetupState } from "#worker/accounts/contract.ts";
import { readSetupState } from "#worker/accounts/setup.ts";
import type { MailPlace } from "#worker/platform/contract.ts";
import { placeOfMails } from "#worker/platform/mail.ts";
import { titled } from "../titled.ts";
import { DoorForm, PasswordField, problemOf, problemsOf, Submit, type Problem } from "./form.tsx";
import { LOGIN, safeNext } from "./next.ts";
import { MAIL_NOTES, Screen } from "./screen.tsx";
import type { Route } from "./+types/login";

export const meta = titled("Login");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (ctx.actor.kind === "user") throw redirect(safeNext(url.searchParams.get("next")));
  return { setup: await readSetupState(ctx), mailPlace: placeOfMails(ctx) };
}

type Sent = { sentTo: string };

export async function clientAction({ request }: Route.ClientActionArgs): Promise<Response | Problem | Sent> {
  const { searchParams } = new URL(request.url);
  const fields = Object.fromEntries(await request.formData());
  return searchParams.has("reset") ? requestReset(fields) : logIn(fields, searchParams.get("next"));
}

async function logIn(fields: unknown, next: string | null) {
  const input = LoginInput.safeParse(fields);
  if (!input.success) return problemOf(input.error);
  return problemsOf(async () => {
    await readJson(api.session.$post({ json: input.data }));
    return redirect(safeNext(next));
  }, "An error occurred during login. Please try again.");
}

async function requestReset(fields: unknown): Promise<Problem | Sent> {
  const input = ResetRequest.safeParse(fields);
  if (!input.success) return problemOf(input.error);
  return problemsOf(async () => {
    await readJson(api["password-reset"].$post({ json: input.data }));
    return { sentTo: input.data.email };
  }, "An error occurred. Please try again.");
}

/** The login, and the same screen in reset mode, which has an address of its own so that Back leaves it. */
export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const [email, setEmail] = useState("");
  if (actionData && "sentTo" in actionData) {
    return <CheckYourEmail {...actionData} mailPlace={loaderData.mailPlace} />;
  }
  const Mode = params.has("reset") ? ResetMode : Login;
  return <Mode setup={loaderData.setup} problem={actionData} email={email} onEmail={setEmail} />;
}

type ModeProps = {
  setup: SetupState;
  problem?: Problem;
  /** As it was typed in the other mode. */
  email: string;
  onEmail: (email: string) => void;
};

function Login({ setup, problem, email, onEmail }: ModeProps) {
  const [params] = useSearchParams();
  return (
    <Screen title="Admin Login" text="Sign in to access the admin dashboard.">
      {params.has("ended") && !problem && (
        <output className="mt-6 block border-l-4 border-signal pl-3 font-medium">
          Your session has ended. Please sign in again; you will return to where you were.
        </output>
      )}
      <NotSetUp setup={setup} />
      <DoorForm problem={problem}>
        <EmailField email={email} onEmail={onEmail} error={problem?.errors["email"]} />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          error={problem?.errors["password"]}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Submit>Sign in</Submit>
          <Link to={modePath(params, true)} className="link text-sm">
            Forgot your password?
          </Link>
        </div>
      </DoorForm>
    </Screen>
  );
}

function ResetMode({ problem, email, onEmail }: ModeProps) {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Reset Password"
      text="Enter the address that you sign in with. A link to choose a new password goes there."
    >
      <DoorForm problem={problem}>
        <EmailField email={email} onEmail={onEmail} error={problem?.errors["email"]} />
        <ButtonRow>
          <Submit>Send reset link</Submit>
          <ButtonLink to={modePath(params, false)}>Back to Login</ButtonLink>
        </ButtonRow>
      </DoorForm>
    </Screen>
  );
}

/** Says the same whether or not there is such an account. */
function CheckYourEmail({ sentTo, mailPlace }: Sent & { mailPlace: MailPlace }) {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Check Your Email"
      text={
        <>
          If there is an account for {sentTo}, a reset link was sent to it. The link works once and expires in
          1 hour.
          {MAIL_NOTES[mailPlace]}
        </>
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

type EmailProps = Pick<ModeProps, "email" | "onEmail"> & { error?: string };

const EmailField = ({ email, onEmail, error }: EmailProps) => (
  <TextField
    name="email"
    type="email"
    label="Email"
    autoComplete="username"
    required
    defaultValue={email}
    onChange={(event) => onEmail(event.target.value)}
    error={error}
  />
);

/** The other mode, which keeps where the login returns to. */
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
      {setup.state === "open"
        ? `No admin is set up yet. The admin address is ${setup.email}. `
        : `The setup for ${setup.email} waits for its link: open the one in the mail that was sent. `}
      <Link to="/admin/setup" className="link">
        {setup.state === "open" ? "Set up the admin area" : "Set up again"}
      </Link>
    </p>
  );
}
