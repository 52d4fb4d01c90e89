import { useState } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import type { Role } from "#worker/access/contract.ts";
import { NewPasswordField } from "../auth/new-password.tsx";
import { useCloseDialog } from "../lists/dialog-address.ts";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { userPaths } from "./addresses.ts";
import { EmailField, NameField, RoleField } from "./fields.tsx";

export const AddDialog = ({ isOpen, roles }: { isOpen: boolean; roles: Role[] }) => (
  <FormDialog open={isOpen} onClose={useCloseDialog(userPaths)} title="Add User">
    <AddForm roles={roles} />
  </FormDialog>
);

function AddForm({ roles }: { roles: Role[] }) {
  const [access, setAccess] = useState<Access>("invitation");
  return (
    <Form intent="add">
      <EmailField />
      <NameField />
      <RoleField roles={roles} value="user" />
      <AccessField value={access} onChange={setAccess} />
      {access === "password" && <NewPasswordField name="password" label="Password" />}
      <ButtonRow className="justify-end">
        <CancelButton />
        <Submit>{access === "invitation" ? "Send invitation" : "Add user"}</Submit>
      </ButtonRow>
    </Form>
  );
}

const choices = {
  invitation: {
    label: "Send an invitation",
    help: "They get an email with a link to choose a password.",
  },
  password: {
    label: "Set a password now",
    help: "They get an email to confirm their address. You give them the password.",
  },
};
type Access = keyof typeof choices;

const AccessField = ({ value, onChange }: { value: Access; onChange: (access: Access) => void }) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-sm font-medium">How they get in</legend>
    {(Object.keys(choices) as Access[]).map((access) => (
      <label key={access} className="flex items-start gap-2.5">
        <input
          type="radio"
          name="access"
          value={access}
          checked={value === access}
          onChange={() => onChange(access)}
          className="mt-1 size-4 shrink-0"
        />
        <span>
          <span>{choices[access].label}</span>
          <span className="block text-sm text-muted">{choices[access].help}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
