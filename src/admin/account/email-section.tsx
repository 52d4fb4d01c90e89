import { Fragment } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { Account } from "#worker/accounts/contract.ts";
import { DoorForm, PasswordField, Submit } from "../door/form.tsx";
import { FormSection } from "../form-section.tsx";
import type { AccountResult } from "./save.ts";
import { useSavedAt } from "./use-saved-at.ts";

/** The address that one signs in with; another holds once the link in its mail is opened. */
export function EmailSection({ account, result }: { account: Account; result?: AccountResult }) {
  const own = result?.intent === "email" ? result : undefined;
  const { errors = {} } = own?.problem ?? {};
  return (
    <FormSection title="Email" help="A new address takes effect once the link that is sent there is opened.">
      <DoorForm problem={own?.problem} className="grid gap-5">
        <p className="wrap-anywhere">You sign in as {account.email}.</p>
        {account.pendingEmail !== null && (
          <p className="border-l-4 border-signal pl-3 wrap-anywhere">
            {account.pendingEmail} waits for the link that was sent there.
          </p>
        )}
        <Fragment key={useSavedAt(own)}>
          <TextField
            name="email"
            type="email"
            label="New address"
            autoComplete="email"
            required
            maxLength={254}
            error={errors["email"]}
          />
          <PasswordField
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
            error={errors["currentPassword"]}
          />
        </Fragment>
        <ButtonRow>
          <Submit name="intent" value="email">
            Change address
          </Submit>
        </ButtonRow>
      </DoorForm>
    </FormSection>
  );
}
