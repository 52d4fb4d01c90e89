import { enquiryLimits } from "#worker/enquiries/limits.ts";
import { FormText } from "./fields.tsx";

type NameAndEmailProps = { label: string; placeholder: string };

/** The sender's name and email. The label and the placeholder are the name's. */
export const NameAndEmail = ({ label, placeholder }: NameAndEmailProps) => (
  <div className="grid items-start gap-5 sm:grid-cols-2">
    <FormText
      label={label}
      name="name"
      required="Name is required"
      limit={enquiryLimits.name}
      autoComplete="name"
      placeholder={placeholder}
    />
    <FormText
      label="Email"
      name="email"
      type="email"
      required="Email is required"
      maxLength={254}
      autoComplete="email"
      placeholder="you@example.com"
    />
  </div>
);
