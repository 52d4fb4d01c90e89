import { useState, type ReactNode } from "react";
import { SelectField } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { Role } from "#worker/platform/contract.ts";
import { roleMeanings, roleNames } from "../roles.ts";

type TextProps = { value?: string; error?: string; help?: ReactNode };

/** Nothing is filled in by the browser: these are about somebody else. */
export const EmailField = ({ value, error, help }: TextProps) => (
  <TextField
    name="email"
    type="email"
    label="Email"
    autoComplete="off"
    required
    maxLength={254}
    defaultValue={value}
    error={error}
    help={help}
    data-first-focus
  />
);

export const NameField = ({ value, error }: TextProps) => (
  <TextField
    name="fullName"
    label="Full name"
    autoComplete="off"
    required
    maxLength={100}
    defaultValue={value}
    error={error}
    data-first-focus
  />
);

type RoleProps = { roles: Role[]; value: Role; error?: string; fixed?: string };

/** One role alone is not a choice: it is said, and nothing is sent. */
export function RoleField({ roles, value, error, fixed }: RoleProps) {
  const [role, setRole] = useState(value);
  if (roles.length < 2) {
    return (
      <p className="grid gap-0.5">
        <span className="text-sm font-medium">Role</span>
        {roleNames[value]}
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
      error={error}
    >
      {roles.map((each) => (
        <option key={each} value={each}>
          {roleNames[each]}
        </option>
      ))}
    </SelectField>
  );
}
