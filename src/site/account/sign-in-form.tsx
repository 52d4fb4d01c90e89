import { FormText } from "../forms/fields.tsx";
import { PublicForm } from "../forms/public-form.tsx";
import { hasPasskeys } from "./load-passkeys.ts";
import { PasskeySignIn } from "./passkey-sign-in.tsx";

/** Moves the focus to what has happened: the pressed button is gone. */
const focus = (element: HTMLElement | null) => element?.focus();

type Props = { message: string | null; onSignedIn: () => Promise<void> };

/** The form that asks for the link by which members sign in, and the button for a passkey. */
export const SignIn = ({ message, onSignedIn }: Props) => (
  <section aria-labelledby="sign-in" className="grid max-w-md gap-5 py-8">
    {message !== null && (
      <p ref={focus} tabIndex={-1} role="status" className="border-l-4 border-accent pl-4">
        {message}
      </p>
    )}
    <h2 id="sign-in" className="text-lg font-semibold">
      Sign in
    </h2>
    <p className="text-muted">There’s no password. We email you a link that signs you in on this device.</p>
    <PublicForm
      name="sign-in"
      action="/api/member/sign-in"
      limits={NO_LIMITS}
      sent={null}
      answers={answers}
      button="Email me a link"
      busy="Sending..."
    >
      <FormText
        label="Email"
        name="email"
        type="email"
        required="Email is required"
        maxLength={254}
        autoComplete="email webauthn"
      />
    </PublicForm>
    {hasPasskeys() && <PasskeySignIn onSignedIn={onSignedIn} />}
  </section>
);

const NO_LIMITS = {};

const answers = {
  success: "If this address has a membership, a link is on its way to it. It works once, for 15 minutes.",
  failure: "The link could not be sent.",
};
