import type { z } from "zod";
import { inWords } from "#worker/platform/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * The output of a contract's schema. Every command parses its own input, so that HTTP, imports, jobs and the demo all
 * pass the same rules.
 * @throws `invalid` with the first issue and its field, and the messages of all fields if several are refused
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: inWords });
  if (!result.success) throw invalidInput(result.error);
  return result.data;
}

function invalidInput({ issues }: z.core.$ZodError) {
  const [first] = issues;
  const field = first?.path.join(".") || undefined;
  return new AppError("invalid", first?.message ?? "This isn’t valid.", {
    field,
    fields: fieldsOf(issues),
    hasUnknownKeys: issues.some(({ code }) => code === "unrecognized_keys"),
  });
}

/** The first message of each field; undefined if there is one field at most. */
function fieldsOf(issues: z.core.$ZodIssue[]) {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) {
    if (path.length > 0) fields[path.join(".")] ??= message;
  }
  return Object.keys(fields).length > 1 ? fields : undefined;
}
