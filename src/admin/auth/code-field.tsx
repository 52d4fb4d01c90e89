import { TextField } from "../form/fields.tsx";

/** The field for the code that an authenticator app shows. */
export const AppCodeField = ({ label = "Code" }: { label?: string }) => (
  <TextField
    name="code"
    label={label}
    inputMode="numeric"
    autoComplete="one-time-code"
    required
    maxLength={12}
    dir="ltr"
    className="figures [&_input]:max-w-48"
  />
);
