import { useState } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import type { Role } from "#worker/platform/contract.ts";
import { DoorForm, Submit } from "../door/form.tsx";
import { NewPasswordField } from "../door/new-password.tsx";
import { EmailField, NameField, RoleField } from "./fields.tsx";
import type { UserResult } from "./save.ts";
import { useClose } from "./use-close.ts";

type Props = { isOpen: boolean; roles: Role[]; result?: UserResult };

export function AddDialog({ isOpen, roles, result }: Props) {
  const close = useClose();
  return (
    <Dialog open={isOpen} onOpenChange={(open) => !open && close()} title="Add User">
      <AddForm roles={roles} result={result} onCancel={close} />
    </Dialog>
  );
}

function AddForm({ roles, result, onCancel }: Omit<Props, "isOpen"> & { onCancel: () => void }) {
  const problem = result?.intent === "add" ? result.problem : undefined;
  const { errors = {} } = problem ?? {};
  const [entry, setEntry] = useState<Entry>("invitation");
  return (
    <DoorForm problem={problem} className="grid gap-5">
      <EmailField error={errors["email"]} />
      <NameField error={errors["fullName"]} />
      <RoleField roles={roles} value="user" error={errors["role"]} />
      <EntryField value={entry} onChange={setEntry} />
      {entry === "password" && (
        <NewPasswordField name="password" label="Password" error={errors["password"]} />
      )}
      <ButtonRow className="justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Submit name="intent" value="add">
          {entry === "invitation" ? "Send invitation" : "Add user"}
        </Submit>
      </ButtonRow>
    </DoorForm>
  );
}

const entries = {
  invitation: {
    label: "Send an invitation",
    help: "A mail with a link lets them choose a password themselves.",
  },
  password: {
    label: "Set a password now",
    help: "A mail asks them to confirm their address. You tell them the password.",
  },
};
type Entry = keyof typeof entries;

const EntryField = ({ value, onChange }: { value: Entry; onChange: (entry: Entry) => void }) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-sm font-medium">How they get in</legend>
    {(Object.keys(entries) as Entry[]).map((entry) => (
      <label key={entry} className="flex items-start gap-2.5">
        <input
          type="radio"
          name="entry"
          value={entry}
          checked={value === entry}
          onChange={() => onChange(entry)}
          className="mt-1 size-4 shrink-0"
        />
        <span>
          {entries[entry].label}
          <span className="block text-sm text-muted">{entries[entry].help}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
