import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { SetupForm, type SetupState } from "#worker/accounts/contract.ts";
import { readSetupState } from "#worker/accounts/setup.ts";
import { titled } from "../titled.ts";
import { DoorForm, PasswordField, problemIn, problemOf, problemsOf, Submit, type Problem } from "./form.tsx";
import { LOGIN } from "./next.ts";
import { MAIL_NOTES, Screen } from "./screen.tsx";
import type { Route } from "./+types/setup";

type NotDone = Exclude<SetupState, { state: "done" }>;
type Sent = { sentTo: string; again: boolean; problem?: Problem };

export const meta = titled("Setup");

export async function loader({ context }: Route.LoaderArgs): Promise<NotDone> {
  const setup = await readSetupState(context.get(siteContext));
  if (setup.state === "done") throw redirect(LOGIN);
  return setup;
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<Sent | Problem> {
  const form = await request.formData();
  return form.get("intent") === "resend" ? resend(String(form.get("email"))) : setUp(form);
}

async function setUp(form: FormData): Promise<Sent | Problem> {
  const input = SetupForm.safeParse(Object.fromEntries(form));
  if (!input.success) return problemOf(input.error);
  const { email, fullName, password } = input.data;
  return problemsOf(async () => {
    await readJson(api.setup.$post({ json: { email, fullName, password } }));
    return { sentTo: email, again: false };
  }, "Failed to create admin account");
}

async function resend(email: string): Promise<Sent> {
  const answer = await problemsOf(
    () => readJson(api.verification.$post({ json: { email } })),
    "Failed to send verification email",
  );
  return { sentTo: email, again: true, problem: "errors" in answer ? problemIn([], answer) : undefined };
}

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "sentTo" in actionData) return <CheckYourEmail {...actionData} setup={loaderData} />;
  return <SetupScreen setup={loaderData} problem={actionData} />;
}

function SetupScreen({ setup, problem }: { setup: NotDone; problem?: Problem }) {
  const errors = problem?.errors ?? {};
  const isPending = setup.state === "pending";
  return (
    <Screen
      title={isPending ? "Complete Admin Setup" : "Create Admin Account"}
      text={
        <>
          Only {setup.email} can set up the admin area.
          {setup.isDemoAddress &&
            " This is the demo address: before going live, put your own into ADMIN_EMAIL."}
        </>
      }
    >
      <DoorForm problem={problem}>
        {/* A disabled field is not sent. */}
        {isPending && <input type="hidden" name="email" value={setup.email} />}
        <TextField
          name={isPending ? undefined : "email"}
          type="email"
          label="Email"
          autoComplete="username"
          defaultValue={setup.email}
          disabled={isPending}
          required
          error={errors.email}
          help={isPending ? "A link was sent here already. Sending the form again replaces it." : undefined}
        />
        <TextField name="fullName" label="Full name" autoComplete="name" required error={errors.fullName} />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          help="At least 8 characters. A sentence is easy to remember and hard to guess."
          error={errors.password}
        />
        <PasswordField
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <ButtonRow>
          <Submit>{isPending ? "Complete setup" : "Create account"}</Submit>
          <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
        </ButtonRow>
      </DoorForm>
    </Screen>
  );
}

function CheckYourEmail({ setup, sentTo, again, problem }: Sent & { setup: NotDone }) {
  return (
    <Screen
      title="Check Your Email"
      text={
        <>
          {again && !problem ? "A new link was sent" : "A link was sent"} to {sentTo}. It works for 24 hours
          and finishes the setup.
          {MAIL_NOTES[setup.mailPlace]}
        </>
      }
    >
      <DoorForm problem={problem}>
        <input type="hidden" name="email" value={sentTo} />
        <ButtonRow>
          <Submit tone="quiet" name="intent" value="resend">
            Resend Verification Email
          </Submit>
          <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
        </ButtonRow>
      </DoorForm>
    </Screen>
  );
}
