import type { z } from "zod";
import type { FormErrors } from "./result.ts";

/** Takes one field out of a form, as the schema expects it; undefined when the form has no such field. */
type Reader<T> = (form: FormData, name: string) => T;

/** A form's fields, and the schema that their values must pass. */
export type FormSpec<S extends z.ZodType> = { fields: Record<string, Reader<unknown>>; schema: S };

export const text: Reader<string | undefined> = (form, name) => {
  const value = form.get(name);
  return typeof value === "string" ? value : undefined;
};

/** Undefined when empty: the saved value is left as it is. */
export const textToChange: Reader<string | undefined> = (form, name) => text(form, name) || undefined;

/** Null when empty. */
export const textOrNull: Reader<string | null | undefined> = (form, name) => {
  const value = text(form, name);
  return value === "" ? null : value;
};

/** NaN when empty, which the schema's own message is about. */
export const number: Reader<number | undefined> = (form, name) => {
  const value = text(form, name)?.trim();
  if (value === undefined) return undefined;
  return value === "" ? Number.NaN : Number(value);
};

/** Whether the kit's Checkbox is checked. */
export const checkbox: Reader<boolean | undefined> = (form, name) =>
  form.has(name) ? form.getAll(name).includes("on") : undefined;

/** Milliseconds UTC of a DateTimeField; null when empty. */
export const dateTime: Reader<number | null | undefined> = (form, name) => {
  const value = textOrNull(form, name);
  return typeof value === "string" ? Number(value) : value;
};

/** The rows of a Repeated group with inputs of these names; rows without any of the `needed` are left out. */
export const rows =
  <Name extends string>(names: readonly Name[], needed: readonly Name[]): Reader<Record<Name, string>[]> =>
  (form, group) => {
    const columns = names.map((name) => form.getAll(`${group}.${name}`).map(String));
    const all = (columns[0] ?? []).map(
      (_, row) =>
        Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row] ?? ""])) as Record<
          Name,
          string
        >,
    );
    return all.filter((row) => needed.some((name) => row[name].trim() !== ""));
  };

/** What the form holds, if the schema accepts it. */
export function readForm<S extends z.ZodType>(
  form: FormData,
  { fields, schema }: FormSpec<S>,
): { input: z.output<S> } | { errors: FormErrors } {
  const values = Object.entries(fields).map(([name, read]) => [name, read(form, name)]);
  const parsed = schema.safeParse(Object.fromEntries(values));
  return parsed.success ? { input: parsed.data } : { errors: placeErrors(form, parsed.error.issues) };
}

type Issue = { path: PropertyKey[]; message: string };

/** The first message of each field stands beside it; one about nothing that the form has is about the form as a whole. */
export function placeErrors(form: FormData, issues: Issue[]): FormErrors {
  const errors: FormErrors = { fields: {} };
  for (const { path, message } of issues) {
    const field = nearestField(form, path.map(String));
    if (field === undefined) errors.message ??= message;
    else errors.fields[field] ??= message;
  }
  return errors;
}

/** `people.0.name` belongs beside the group `people`. */
function nearestField(form: FormData, path: string[]) {
  const names = path.map((_, index) => path.slice(0, path.length - index).join("."));
  const sent = [...form.keys()];
  return names.find((name) => sent.some((key) => key === name || key.startsWith(`${name}.`)));
}
