import type { z } from "zod";
import { inWords } from "#worker/platform/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * The output of a contract's schema. Every command parses its own input, so that HTTP, imports, jobs and the demo all
 * pass the same rules.
 * @throws `invalid` with the first issue and its field
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: inWords });
  if (!result.success) throw invalidInput(result.error);
  return result.data;
}

function invalidInput({ issues: [issue] }: z.core.$ZodError) {
  const field = issue?.path.join(".") || undefined;
  return new AppError("invalid", issue?.message ?? "This is not valid.", { field });
}
