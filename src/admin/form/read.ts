import type { z } from "zod";
import { inWords } from "#worker/platform/contract.ts";
import type { FormErrors } from "./result.ts";
import { unreadableIn } from "./unreadable.ts";

/** Takes one field out of a form, as the schema expects it; undefined when the form has no such field. */
type Reader<T> = (form: FormData, name: string) => T;

/** A form's fields, and the schema that their values must pass. */
export type FormSpec<S extends z.ZodType> = { fields: Record<string, Reader<unknown>>; schema: S };

export const text: Reader<string | undefined> = (form, name) => {
  const value = form.get(name);
  return typeof value === "string" ? value : undefined;
};

/** Undefined when empty: the saved value is not changed. */
export const textToChange: Reader<string | undefined> = (form, name) => text(form, name) || undefined;

/** Null when empty. */
export const textOrNull: Reader<string | null | undefined> = (form, name) => {
  const value = text(form, name);
  return value === "" ? null : value;
};

/** NaN when empty, for which the schema has its own message. */
export const number: Reader<number | undefined> = (form, name) => {
  const value = text(form, name)?.trim();
  if (value === undefined) return undefined;
  return value === "" ? Number.NaN : Number(value);
};

/** Null when empty. */
export const numberOrNull: Reader<number | null | undefined> = (form, name) => {
  const value = number(form, name);
  return Number.isNaN(value) && text(form, name)?.trim() === "" ? null : value;
};

/** Zero when empty. */
export const numberOrZero: Reader<number | undefined> = (form, name) => {
  const value = numberOrNull(form, name);
  return value === null ? 0 : value;
};

/** Whether the kit's Checkbox or Switch is checked. */
export const checkbox: Reader<boolean | undefined> = (form, name) =>
  form.has(name) ? form.getAll(name).includes("on") : undefined;

/** Milliseconds UTC of a DateTimeField; null when empty, NaN for a time that does not exist. */
export const dateTime: Reader<number | null | undefined> = (form, name) => {
  const value = textOrNull(form, name);
  return typeof value === "string" ? Number(value) : value;
};

/** The values of the checked boxes with this name. */
export const checkedValues: Reader<string[]> = (form, name) => form.getAll(name).map(String);

/** Comma-separated values. */
export const commaSeparated: Reader<string[] | undefined> = (form, name) =>
  text(form, name)
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** An object of the fields `name.key`, each by its own reader. */
export const object =
  (fields: Record<string, Reader<unknown>>): Reader<Record<string, unknown>> =>
  (form, name) =>
    readAll(form, fields, `${name}.`);

/** The values of all fields as read, unvalidated. */
export const readAll = (form: FormData, fields: Record<string, Reader<unknown>>, prefix = "") =>
  Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(form, prefix + name)]));

/** The index in its group of each row read. */
const placesInForm = new WeakMap<FormData, Map<string, number[]>>();

/**
 * The rows of a Repeated group with inputs of these names; omits rows without any of the `needed` values; none if
 * `needed` is absent.
 */
export const rows =
  <Name extends string>(names: readonly Name[], needed?: readonly Name[]): Reader<Record<Name, string>[]> =>
  (form, group) => {
    const columns = names.map((name) => form.getAll(`${group}.${name}`).map(String));
    const all = (columns[0] ?? []).map((_, place) => ({
      place,
      row: Object.fromEntries(names.map((name, column) => [name, columns[column]?.[place] ?? ""])) as Record<
        Name,
        string
      >,
    }));
    const read = all.filter(({ row }) => !needed || needed.some((name) => row[name].trim() !== ""));
    const places = placesInForm.get(form) ?? new Map<string, number[]>();
    placesInForm.set(
      form,
      places.set(
        group,
        read.map(({ place }) => place),
      ),
    );
    return read.map(({ row }) => row);
  };

/** The form's values, if the schema accepts them. */
export function readForm<S extends z.ZodType>(
  form: FormData,
  { fields, schema }: FormSpec<S>,
): { input: z.output<S> } | { errors: FormErrors } {
  const parsed = schema.safeParse(readAll(form, fields), { error: inWords });
  const unreadable = unreadableIn(form);
  if (parsed.success && Object.keys(unreadable).length === 0) return { input: parsed.data };
  const { fields: refused, ...errors } = placeErrors(form, parsed.error?.issues ?? []);
  return { errors: { ...errors, fields: { ...refused, ...unreadable } } };
}

type Issue = { path: PropertyKey[]; message: string };

/** The first message of each field is shown beside it; one that fits no field is shown for the form as a whole. */
export function placeErrors(form: FormData, issues: Issue[]): FormErrors {
  const errors: FormErrors = { fields: {} };
  for (const { path, message } of issues) {
    const field = nearestField(form, path.map(String));
    if (field === undefined) errors.message ??= message;
    else errors.fields[field] ??= message;
  }
  return errors;
}

/**
 * The field itself, or else its container: `links.0.href` belongs in its row, `chapters.0` beside the field `chapters`.
 */
function nearestField(form: FormData, path: string[]) {
  const names = path.map((_, index) => path.slice(0, path.length - index).join("."));
  const sent = [...form.keys()];
  return (
    fieldInRow(form, path) ??
    names.find((name) => sent.some((key) => key === name || key.startsWith(`${name}.`)))
  );
}

/** A row with a single field is that field. */
function fieldInRow(form: FormData, path: string[]) {
  const at = path.findIndex((part) => /^\d+$/.test(part));
  const group = path.slice(0, at).join(".");
  const place = placesInForm.get(form)?.get(group)?.[Number(path[at])];
  if (place === undefined) return undefined;
  const columns = [...new Set(form.keys())].filter((key) => key.startsWith(`${group}.`));
  const column =
    columns.length === 1 ? columns[0] : columns.find((key) => key === `${group}.${path[at + 1]}`);
  return column && `${group}.${place}${column.slice(group.length)}`;
}
