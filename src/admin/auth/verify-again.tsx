import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { VerificationRequest } from "#worker/accounts/contract.ts";
import type { MailDestination } from "#worker/mail/contract.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import { TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { submit } from "../form/submit.ts";
import { LOGIN } from "./paths.ts";
import { MAIL_NOTES, Screen, signedOutWords } from "./screen.tsx";
import type { Route } from "./+types/verify-again";

export const loader = ({ context }: Route.LoaderArgs) => ({
  mailDestination: mailDestinationOf(context.get(siteContext)),
});

type Sent = { sentTo: string };

export async function clientAction({ request }: Route.ClientActionArgs) {
  return submit(await request.formData(), {
    fields: { email: text },
    schema: VerificationRequest,
    words: signedOutWords("Failed to send verification email"),
    async send(json) {
      await readJson(api.verification.$post({ json }));
      return { sentTo: json.email };
    },
  });
}

/** For users who were added to a site that is set up; before that, the set-up sends new links. */
export default function VerifyAgain({ loaderData, actionData }: Route.ComponentProps) {
  return actionData && "sentTo" in actionData ? (
    <CheckYourEmail {...actionData} {...loaderData} />
  ) : (
    <RequestForm />
  );
}

const RequestForm = () => (
  <Screen
    title="Request New Verification"
    text="Enter the address you want to confirm. We’ll send it a new link."
  >
    <Form className="mt-6 grid gap-5">
      <TextField name="email" type="email" label="Email" autoComplete="username" required />
      <ButtonRow>
        <Submit>Send new link</Submit>
        <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
      </ButtonRow>
    </Form>
  </Screen>
);

/** The same text whether or not the account exists. */
const CheckYourEmail = ({ sentTo, mailDestination }: Sent & { mailDestination: MailDestination }) => (
  <Screen
    title="Check Your Email"
    text={
      <span>
        If <span>{sentTo}</span> is waiting to be confirmed, we sent it a new link. It works for 24 hours.
        <span>{MAIL_NOTES[mailDestination]}</span>
      </span>
    }
  >
    <ButtonRow className="mt-6">
      <ButtonLink tone="primary" to={LOGIN}>
        Back to Login
      </ButtonLink>
    </ButtonRow>
  </Screen>
);
