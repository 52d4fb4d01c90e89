/** The fields of a form that hold text. Files and dates are not stored, nor rows, whose names repeat (`people.name`). */
export const textControls = (form: HTMLFormElement) =>
  [
    ...form.querySelectorAll("textarea"),
    ...form.querySelectorAll("select"),
    ...[...form.querySelectorAll("input")].filter(({ type }) => /^(text|url|number)$/.test(type)),
  ].filter(({ name }) => name !== "" && !name.includes("."));

type TextControl = ReturnType<typeof textControls>[number];

export function fill(form: HTMLFormElement, values: Record<string, string>) {
  for (const control of textControls(form)) {
    const value = values[control.name];
    if (value !== undefined) typeInto(control, value);
  }
}

/** As if it was typed: React reads the value of a control whose own setter it does not know of. */
export function typeInto(control: TextControl, value: string) {
  if (value === control.value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
  );
}
