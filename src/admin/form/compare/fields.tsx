import type { ReactNode } from "react";
import { Difference } from "./difference.tsx";

/** The values of an item that is edited, by the names of its fields. */
export type Values = Record<string, unknown>;

/** How an item's fields are shown to its owner; a field without a label is not shown. */
export type FieldWords = {
  labels: Record<string, string>;
  /** Formats a value that is neither text nor a list of texts. */
  inWords: (field: string, value: unknown) => string | undefined;
};

export type ChangedField = { field: string; label: string; before: string; after: string };

/**
 * The fields that differ, in the order of their labels. A field that only one of the two has is not compared; without
 * an earlier version, all non-empty fields are new.
 */
export function changedFields(before: Values | null, after: Values, words: FieldWords): ChangedField[] {
  return Object.entries(words.labels)
    .filter(([field]) => isChanged(before === null ? null : before[field], after[field]))
    .map(([field, label]) => ({
      field,
      label,
      before: textOf(field, before?.[field], words),
      after: textOf(field, after[field], words),
    }));
}

const isChanged = (before: unknown, after: unknown) =>
  before !== undefined && after !== undefined && comparable(before) !== comparable(after);

/** An empty text, an empty list and nothing are the same. */
const comparable = (value: unknown) => {
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return JSON.stringify(isEmpty ? null : value);
};

function textOf(field: string, value: unknown, { inWords }: FieldWords): string {
  const text = inWords(field, value);
  if (text !== undefined) return text;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

type Props = {
  fields: ChangedField[];
  /** Beside the name of a field. */
  renderAction?: (field: ChangedField) => ReactNode;
};

/** The difference of each field. */
export const ComparedFields = ({ fields, renderAction }: Props) => (
  <dl className="grid gap-6">
    {fields.map((field) => (
      <div key={field.field} className="grid gap-2">
        <dt className="flex flex-wrap items-center justify-between gap-x-4 border-b border-rule pb-1 text-sm font-semibold">
          <span>{field.label}</span>
          {renderAction?.(field)}
        </dt>
        <dd>
          {field.before === "" && field.after === "" ? (
            <span className="text-muted">Changed</span>
          ) : (
            <Difference before={field.before} after={field.after} />
          )}
        </dd>
      </div>
    ))}
  </dl>
);
