import { useState, type ReactNode } from "react";
import type { Role } from "#worker/access/contract.ts";
import { Options, SelectField, TextField } from "../form/fields.tsx";
import { roleMeanings, roleNames } from "./role-meanings.ts";

type TextProps = { value?: string; help?: ReactNode };

/** No autofill: these are the details of another person. */
export const EmailField = ({ value, help }: TextProps) => (
  <TextField
    name="email"
    type="email"
    label="Email"
    autoComplete="off"
    required
    maxLength={254}
    defaultValue={value}
    help={help}
    data-first-focus
  />
);

export const NameField = ({ value }: TextProps) => (
  <TextField
    name="fullName"
    label="Full name"
    autoComplete="off"
    required
    maxLength={100}
    defaultValue={value}
    data-first-focus
  />
);

type RoleProps = { roles: Role[]; value: Role; fixed?: string };

/** A single role is shown as text, and not sent. */
export function RoleField({ roles, value, fixed }: RoleProps) {
  const [role, setRole] = useState(value);
  if (roles.length < 2) {
    return (
      <p className="grid gap-0.5">
        <span className="text-sm font-medium">Role</span>
        <span>{roleNames[value]}</span>
        {fixed && <span className="text-sm text-muted">{fixed}</span>}
      </p>
    );
  }
  return (
    <SelectField
      name="role"
      label="Role"
      defaultValue={value}
      onChange={(event) => setRole(event.target.value as Role)}
      help={roleMeanings[role]}
    >
      <Options of={roles.map((each) => [each, roleNames[each]])} />
    </SelectField>
  );
}
