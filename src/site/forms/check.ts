import { storedAddress, whyNotAddress } from "#worker/platform/text/email-address.ts";

/** Errors of a form's fields, by name. */
export type FieldErrors = Record<string, string>;

type Control = Pick<HTMLInputElement, "name" | "value" | "validity" | "required" | "type" | "dataset">;

/** The visible, validated controls of a form, in order. */
export const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) => "willValidate" in element && element.willValidate,
  ) as unknown as Control[];

/** A field's error in the words of the server, which checks it again; null if valid. */
export function errorOf({ value, validity, required, type, dataset }: Control) {
  if (validity.valueMissing || (required && value.trim() === ""))
    return dataset["missing"] ?? "This is required.";
  if (type === "email") return whyNotAddress(storedAddress(value), "Email is invalid");
  if (validity.valid) return null;
  if (type === "date") return validity.rangeUnderflow ? "This date is in the past." : "Enter a date.";
  return type === "url" ? "Enter a full address, such as https://example.com/page." : "This isn’t valid.";
}
