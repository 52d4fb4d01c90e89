/** What is wrong with the fields of a form, by name. */
export type FieldErrors = Record<string, string>;

/** The ref of a form that shows its own messages. Without scripts the browser shows its bubbles, one at a time. */
export function withoutBubbles(form: HTMLFormElement | null) {
  if (form) form.noValidate = true;
}

type Control = Pick<HTMLInputElement, "name" | "value" | "validity" | "required" | "type" | "dataset">;

/** What people fill in and the browser checks, in the order of the form. */
export const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) => "willValidate" in element && element.willValidate,
  ) as unknown as Control[];

/** What the browser's own check finds, in the words of the server, which checks it again; null if it finds nothing. */
export function errorOf({ value, validity, required, type, dataset }: Control) {
  if (validity.valueMissing || (required && value.trim() === ""))
    return dataset["missing"] ?? "This is required.";
  if (validity.valid) return null;
  if (type === "date") return validity.rangeUnderflow ? "This date is in the past." : "Enter a date.";
  return malformed[type] ?? "This is not valid.";
}

const malformed: Record<string, string> = {
  email: "Email is invalid",
  url: "Enter a full address, such as https://example.com/page.",
};
