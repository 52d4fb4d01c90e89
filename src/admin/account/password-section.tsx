import { Fragment } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import { DoorForm, PasswordField, PasswordOwner, Submit } from "../door/form.tsx";
import { NewPasswordField } from "../door/new-password.tsx";
import { FormSection } from "../form-section.tsx";
import type { AccountResult } from "./save.ts";
import { useSavedAt } from "./use-saved-at.ts";

type Props = { email: string; result?: AccountResult };

export function PasswordSection({ email, result }: Props) {
  const own = result?.intent === "password" ? result : undefined;
  const { errors = {} } = own?.problem ?? {};
  return (
    <FormSection title="Password" help="Changing it signs out all other devices.">
      <DoorForm problem={own?.problem} className="grid gap-5">
        <PasswordOwner email={email} />
        <Fragment key={useSavedAt(own)}>
          <PasswordField
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
            error={errors["currentPassword"]}
          />
          <NewPasswordField name="password" label="New password" error={errors["password"]} />
          <PasswordField
            name="confirmPassword"
            label="Confirm password"
            autoComplete="new-password"
            error={errors["confirmPassword"]}
          />
        </Fragment>
        <ButtonRow>
          <Submit name="intent" value="password">
            Change password
          </Submit>
        </ButtonRow>
      </DoorForm>
    </FormSection>
  );
}
