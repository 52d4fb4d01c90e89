/** Saves a form's values in the tab until it is sent, so that a lost connection or a reload loses nothing. */

const keyOf = (form: string) => `form:${form}`;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The saved controls. Excludes consent, which must be given each time, and the honeypot. */
const KEPT =
  "input:is([type=text], [type=email], [type=url], [type=date]):not([tabindex='-1']), textarea, select";

const controlsOf = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLElement>(KEPT)] as unknown as Control[];

export function saveDraft(name: string, form: HTMLFormElement) {
  const values = Object.fromEntries(controlsOf(form).map((control) => [control.name, control.value]));
  withStorage((storage) => storage.setItem(keyOf(name), JSON.stringify(values)));
}

export const forgetDraft = (name: string) => void withStorage((storage) => storage.removeItem(keyOf(name)));

/** Restores saved values into empty fields and still available options. Returns whether there were any. */
export function restoreDraft(name: string, form: HTMLFormElement) {
  const saved = readDraft(name);
  const restored = controlsOf(form).filter((control) => {
    const value = saved[control.name];
    return (
      typeof value === "string" &&
      value !== "" &&
      value !== control.value &&
      isUntouched(control) &&
      isPossible(control, value)
    );
  });
  for (const control of restored) {
    control.value = saved[control.name]!;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return restored.length > 0;
}

function readDraft(name: string): Record<string, string> {
  const saved = withStorage((storage) => storage.getItem(keyOf(name)));
  try {
    const values: unknown = JSON.parse(saved ?? "{}");
    return typeof values === "object" && values !== null ? (values as Record<string, string>) : {};
  } catch {
    return {};
  }
}

const isPossible = (control: Control, value: string) =>
  !(control instanceof HTMLSelectElement) || [...control.options].some((option) => option.value === value);

function isUntouched(control: Control) {
  if (!(control instanceof HTMLSelectElement)) return control.value === control.defaultValue;
  const { options, selectedIndex } = control;
  return [...options].every(({ defaultSelected }) => !defaultSelected)
    ? selectedIndex <= 0
    : options[selectedIndex]!.defaultSelected;
}

/** A browser may forbid storage. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
