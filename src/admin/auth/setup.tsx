import { useState } from "react";
import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { SetupForm, VerificationRequest, type SetupState } from "#worker/accounts/contract.ts";
import { readSetupState } from "#worker/accounts/link-queries.ts";
import { PasswordField, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { intentOf, submit } from "../form/submit.ts";
import { LOGIN } from "./paths.ts";
import { MAIL_NOTES, Screen, signedOutWords } from "./screen.tsx";
import type { Route } from "./+types/setup";

type NotDone = Exclude<SetupState, { state: "done" }>;
type Sent = { sentTo: string; again: boolean };

export async function loader({ context }: Route.LoaderArgs): Promise<NotDone> {
  const setup = await readSetupState(context.get(siteContext));
  if (setup.state === "done") throw redirect(LOGIN);
  return setup;
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "resend" ? resend(form) : setUp(form);
}

const setUp = (form: FormData) =>
  submit(form, {
    fields: { email: text, fullName: text, password: text, confirmPassword: text },
    schema: SetupForm,
    words: signedOutWords("Failed to create admin account"),
    async send({ email, fullName, password }): Promise<Sent> {
      await readJson(api.setup.$post({ json: { email, fullName, password } }));
      return { sentTo: email, again: false };
    },
  });

const resend = (form: FormData) =>
  submit(form, {
    fields: { email: text },
    schema: VerificationRequest,
    words: signedOutWords("Failed to send verification email"),
    async send(json): Promise<Sent> {
      await readJson(api.verification.$post({ json }));
      return { sentTo: json.email, again: true };
    },
  });

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  // Kept when "Resend" fails: its answer has no `sentTo`.
  const [sent, setSent] = useState<Sent>();
  if (actionData && "sentTo" in actionData && actionData !== sent) setSent(actionData);
  return sent ? <CheckYourEmail {...sent} setup={loaderData} /> : <SetupScreen setup={loaderData} />;
}

function SetupScreen({ setup }: { setup: NotDone }) {
  const isPending = setup.state === "pending";
  return (
    <Screen
      title={isPending ? "Complete Admin Setup" : "Create Admin Account"}
      text={
        <span>
          Only <span>{setup.email}</span> can set up the admin area.
          {setup.isDemoAddress && (
            <span>{" This is the demo address. Before going live, set ADMIN_EMAIL to your own."}</span>
          )}
        </span>
      }
    >
      <Form className="mt-6 grid gap-5">
        {/* A disabled field is not sent. */}
        {isPending && <input type="hidden" name="email" value={setup.email} />}
        <TextField
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          defaultValue={setup.email}
          disabled={isPending}
          required
          help={isPending ? "A link was already sent here. Submit the form again to replace it." : undefined}
        />
        <TextField name="fullName" label="Full name" autoComplete="name" required />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          help="At least 8 characters. A sentence is easy to remember and hard to guess."
        />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <ButtonRow>
          <Submit>{isPending ? "Complete setup" : "Create account"}</Submit>
          <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
        </ButtonRow>
      </Form>
    </Screen>
  );
}

const CheckYourEmail = ({ setup, sentTo, again }: Sent & { setup: NotDone }) => (
  <Screen
    title="Check Your Email"
    text={
      <span>
        <span>{again ? "A new link was sent" : "A link was sent"}</span> to <span>{sentTo}</span>. Open it
        within 24 hours to finish setting up.
        <span>{MAIL_NOTES[setup.mailDestination]}</span>
      </span>
    }
  >
    <Form intent="resend" className="mt-6 grid gap-5">
      <input type="hidden" name="email" value={sentTo} />
      <ButtonRow>
        <Submit tone="quiet">Resend Verification Email</Submit>
        <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
      </ButtonRow>
    </Form>
  </Screen>
);
