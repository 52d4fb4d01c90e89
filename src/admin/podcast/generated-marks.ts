import { markedFields, type Generated } from "#worker/episodes/contract.ts";

/** Marks as lines of text, which a form saves and restores as it does other texts: "title @cf/meta/llama". */
export const writeMarks = (marks: Generated[]) =>
  marks.map(({ field, model }) => `${field} ${model}`).join("\n");

/** Without lines that are none. */
export const readMarks = (lines: string): Generated[] =>
  lines.split("\n").flatMap((line) => {
    const [, name, model] = /^(\S+) (.+)$/.exec(line.trim()) ?? [];
    const field = markedFields.find((known) => known === name);
    return field && model ? [{ field, model }] : [];
  });
