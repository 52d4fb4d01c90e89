import { ButtonRow } from "#site/ui/button.tsx";
import { NewPasswordField } from "../auth/new-password.tsx";
import { PasswordField, PasswordOwner } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";

export const PasswordSection = ({ email }: { email: string }) => (
  <FormSection title="Password" help="Changing your password signs out all your other devices.">
    <Form intent="password" clearWhenSaved>
      <PasswordOwner email={email} />
      <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
      <NewPasswordField name="password" label="New password" />
      <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      <ButtonRow>
        <Submit>Change password</Submit>
      </ButtonRow>
    </Form>
  </FormSection>
);
