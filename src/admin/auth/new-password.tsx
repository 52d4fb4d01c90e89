import { Check, Circle } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { PASSWORD_RULES } from "#worker/accounts/contract.ts";
import { PasswordField } from "../form/fields.tsx";

type Props = Omit<ComponentProps<typeof PasswordField>, "autoComplete" | "help" | "onChange">;

/** A new password, with a list of the rules that it meets so far. */
export function NewPasswordField(field: Props) {
  const [password, setPassword] = useState("");
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      help={<Requirements password={password} />}
      onChange={(event) => setPassword(event.target.value)}
    />
  );
}

/** The field's description and no live region: read with the field, silent at each key. */
const Requirements = ({ password }: { password: string }) => (
  <ul aria-label="Requirements" className="mt-1 grid gap-1">
    {PASSWORD_RULES.map(({ label, holds }) => (
      <Requirement key={label} label={label} isMet={holds(password)} />
    ))}
  </ul>
);

function Requirement({ label, isMet }: { label: string; isMet: boolean }) {
  const Mark = isMet ? Check : Circle;
  return (
    <li className={isMet ? "flex items-center gap-2 text-accent" : "flex items-center gap-2"}>
      <Mark aria-hidden size={14} strokeWidth={isMet ? 3 : 1.5} className="shrink-0" />
      <span>
        <span>{label}</span>
        <span className="sr-only">{isMet ? ": met." : ": not met."}</span>
      </span>
    </li>
  );
}
