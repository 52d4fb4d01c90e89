import { ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { Account } from "#worker/accounts/contract.ts";
import { DoorForm, Submit } from "../door/form.tsx";
import { roleMeanings, roleNames } from "../roles.ts";
import type { AccountResult } from "./save.ts";

export function DetailsForm({ account, result }: { account: Account; result?: AccountResult }) {
  const problem = result?.intent === "details" ? result.problem : undefined;
  return (
    <DoorForm problem={problem} className="grid gap-5">
      <TextField
        name="fullName"
        label="Full name"
        autoComplete="name"
        required
        defaultValue={account.fullName}
        error={problem?.errors["fullName"]}
      />
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dt]:text-muted">
        <dt>Role</dt>
        <dd>
          {roleNames[account.role]}
          <span className="block text-sm text-muted">{roleMeanings[account.role]}</span>
        </dd>
      </dl>
      <ButtonRow>
        <Submit name="intent" value="details">
          Save name
        </Submit>
      </ButtonRow>
    </DoorForm>
  );
}
