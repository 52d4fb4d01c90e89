import { useRef, useState } from "react";
import { useFormState } from "../form/context.ts";
import { parseTime } from "./chapter-lines.ts";

/** A chapter or soundbite as typed. `key` is unique while the page is open. */
export type MarkRow = { key: string; start: string; title: string };

/** Seconds. Files and editors round differently, and the server allows as much. */
const TOLERANCE = 1;

export const endOf = (duration: number) => (duration > 0 ? duration + TOLERANCE : Infinity);

export const timeProblem = (start: string) =>
  start.trim() !== "" && parseTime(start) === null ? "Enter a time such as 1:15." : null;

/** Sorted by time; rows without a time are last. */
const byTime = (a: MarkRow, b: MarkRow) =>
  (parseTime(a.start) ?? Infinity) - (parseTime(b.start) ?? Infinity) || 0;

/** Rows that can be changed one by one, each change being one of the form. */
export function useMarkRows<Row extends MarkRow>(prefix: string, initial: () => Omit<Row, "key">[]) {
  const { markChanged } = useFormState();
  const next = useRef(0);
  const keyed = (rows: Omit<Row, "key">[]) =>
    rows.map((row) => ({ ...row, key: `${prefix}${next.current++}` }) as Row);
  const [rows, setRows] = useState<Row[]>(() =>
    initial().map((row, at) => ({ ...row, key: `${prefix}-${at}` }) as Row),
  );
  const replace = (made: Row[]) => {
    setRows(made);
    markChanged();
  };
  const change = (key: string, part: Partial<Row>) =>
    replace(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return {
    rows,
    change,
    /** The same, and in order of time. */
    move: (key: string, part: Partial<Row>) =>
      replace(rows.map((row) => (row.key === key ? { ...row, ...part } : row)).toSorted(byTime)),
    /** @returns its key */
    add(row: Omit<Row, "key">) {
      const [made] = keyed([row]) as [Row];
      replace([...rows, made].toSorted(byTime));
      return made.key;
    },
    remove: (key: string) => replace(rows.filter((row) => row.key !== key)),
    replaceAll: (made: Omit<Row, "key">[]) => replace(keyed(made)),
    /** What another view of them holds already. */
    load: (made: Omit<Row, "key">[]) => setRows(keyed(made)),
  };
}
