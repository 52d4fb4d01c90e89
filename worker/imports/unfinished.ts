import { and, eq, inArray, sql } from "drizzle-orm";
import type { ImportState } from "#worker/imports/contract.ts";
import { imports } from "#worker/imports/table.ts";

/** SQL: whether an import of this kind is prepared, running or paused. */
export const hasUnfinished = (kind: string) => hasImport(kind, ["open", "running", "paused"]);

/** SQL: whether an import of this kind has started and not ended, so that only a part of its rows may be written. */
export const hasStarted = (kind: string) => hasImport(kind, ["running", "paused"]);

const hasImport = (kind: string, states: ImportState[]) =>
  sql`exists (select 1 from ${imports} where ${and(eq(imports.kind, kind), inArray(imports.state, states))})`;
