import { ButtonRow } from "#site/ui/button.tsx";
import type { Account } from "#worker/accounts/contract.ts";
import { PasswordField, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";

/** The address to sign in with. A new one takes effect once the link that is sent to it is opened. */
export const EmailSection = ({ account }: { account: Account }) => (
  <FormSection title="Email" help="A new address takes effect when you open the link we send to it.">
    <Form intent="email" clearWhenSaved>
      <p className="wrap-anywhere">{`You sign in as ${account.email}.`}</p>
      {account.pendingEmail !== null && (
        <p className="border-l-4 border-signal pl-3 wrap-anywhere">
          {`${account.pendingEmail} is waiting to be confirmed. Open the link we sent there.`}
        </p>
      )}
      <TextField
        name="email"
        type="email"
        label="New address"
        autoComplete="email"
        required
        maxLength={254}
      />
      <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
      <ButtonRow>
        <Submit>Change address</Submit>
      </ButtonRow>
    </Form>
  </FormSection>
);
