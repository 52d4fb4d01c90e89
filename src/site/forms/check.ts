import { storedAddress, whyNotAddress } from "#worker/platform/email-address.ts";

/** What is wrong with the fields of a form, by name. */
export type FieldErrors = Record<string, string>;

type Control = Pick<HTMLInputElement, "name" | "value" | "validity" | "required" | "type" | "dataset">;

/** What people fill in and the browser checks, in the order of the form. */
export const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) => "willValidate" in element && element.willValidate,
  ) as unknown as Control[];

/** What is wrong with a field, in the words of the server, which checks it again; null if nothing is. */
export function errorOf({ value, validity, required, type, dataset }: Control) {
  if (validity.valueMissing || (required && value.trim() === ""))
    return dataset["missing"] ?? "This is required.";
  if (type === "email") return whyNotAddress(storedAddress(value), "Email is invalid");
  if (validity.valid) return null;
  if (type === "date") return validity.rangeUnderflow ? "This date is in the past." : "Enter a date.";
  return type === "url" ? "Enter a full address, such as https://example.com/page." : "This isn’t valid.";
}
