/** The fields of a form that hold text. Excludes files, dates, and rows, whose names repeat (`people.name`). */
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

/** Sets a value as if typed: bypasses React's own setter, so that React notices the change. */
export function typeInto(control: TextControl, value: string) {
  if (value === control.value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
  );
}
