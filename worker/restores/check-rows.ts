import { MOST_ROW } from "#worker/exports/contract.ts";
import type { Row } from "#worker/exports/rows.ts";
import type { Table } from "#worker/platform/data/schema.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Bytes that D1 stores of a row. */
const MOST_STORED = 2_000_000;

/**
 * The rows of these lines, each with the columns of the table.
 * @throws `invalid` with the table and the line
 */
export function parseRows(table: Table, text: string): Row[] {
  return linesIn(text).map((line, at) => parseRow(table, line, at + 1));
}

export const linesIn = (text: string) => text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined);

function parseRow({ name, columns }: Table, line: string, number: number): Row {
  const refuse = (why: string) =>
    new AppError("invalid", `The archive’s table “${name}” can’t be read: ${why} (line ${number}).`);
  if (line.length > MOST_ROW) throw refuse("a row is longer than the site can store");
  const row = parsed(line);
  if (row === null) throw refuse("a line isn’t a row");
  const known = new Map(columns.map((column) => [column.name, column]));
  let bytes = 0;
  for (const [column, value] of Object.entries(row)) {
    if (!known.has(column)) throw refuse(`this site has no column “${column.slice(0, 60)}”`);
    if (value !== null && typeof value !== "string" && typeof value !== "number")
      throw refuse(`“${column}” isn’t a text or a number`);
    bytes += typeof value === "string" ? Buffer.byteLength(value) : 8;
  }
  if (bytes > MOST_STORED) throw refuse("a row is longer than the site can store");
  const missing = columns.find((column) => column.isRequired && (row[column.name] ?? null) === null);
  if (missing) throw refuse(`“${missing.name}” is missing`);
  return row;
}

function parsed(line: string) {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : null;
  } catch {
    return null;
  }
}
