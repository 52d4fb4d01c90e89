import { and, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { ImportState } from "#worker/imports/contract.ts";
import { imports } from "#worker/imports/table.ts";

const UNFINISHED: ImportState[] = ["open", "running", "paused"];

/** SQL: whether this import is prepared, running or paused. */
export const isUnfinished = (id: number | SQL) => hasImport(sql`${imports.id} = ${id}`);

/** SQL: the same, of any import of this kind. */
export const hasUnfinished = (kind: string) => hasImport(eq(imports.kind, kind));

/** SQL: whether this import has started, and is in one of these states. */
export const hasStartedIn = (id: number, states: ImportState[]) =>
  sql`exists (select 1 from ${imports} where ${and(
    eq(imports.id, id),
    isNotNull(imports.startedAt),
    inArray(imports.state, states),
  )})`;

const hasImport = (which: SQL) =>
  sql`exists (select 1 from ${imports} where ${and(which, inArray(imports.state, UNFINISHED))})`;
