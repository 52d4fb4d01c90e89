import { ButtonRow } from "#site/ui/button.tsx";
import type { Account } from "#worker/accounts/contract.ts";
import { TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { roleMeanings, roleNames } from "../users/role-meanings.ts";

export const DetailsForm = ({ account }: { account: Account }) => (
  <Form intent="details">
    <TextField
      name="fullName"
      label="Full name"
      autoComplete="name"
      required
      defaultValue={account.fullName}
    />
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dt]:text-muted">
      <dt>Role</dt>
      <dd>
        <span>{roleNames[account.role]}</span>
        <span className="block text-sm text-muted">{roleMeanings[account.role]}</span>
      </dd>
    </dl>
    <ButtonRow>
      <Submit>Save name</Submit>
    </ButtonRow>
  </Form>
);
