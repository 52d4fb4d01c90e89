import type { ImportProgress, ImportState } from "#worker/imports/contract.ts";
import { imports } from "#worker/imports/table.ts";

/** Without the details, which may be long. */
export const progressColumns = {
  id: imports.id,
  kind: imports.kind,
  source: imports.source,
  state: imports.state,
  pausedReason: imports.pausedReason,
  total: imports.total,
  done: imports.done,
  skipped: imports.skipped,
  failed: imports.failed,
  undone: imports.undone,
  bytes: imports.bytes,
  bytesMoved: imports.bytesMoved,
  createdAt: imports.createdAt,
  startedAt: imports.startedAt,
  finishedAt: imports.finishedAt,
  undoneAt: imports.undoneAt,
};

type Row = Pick<typeof imports.$inferSelect, keyof typeof progressColumns>;

export const toProgress = ({
  total,
  done,
  skipped,
  failed,
  undone,
  bytes,
  bytesMoved,
  ...row
}: Row): ImportProgress => ({
  ...row,
  state: row.state as ImportState,
  counts: { total, done, skipped, failed, undone },
  bytes: { total: bytes, moved: bytesMoved },
  createdAt: row.createdAt.getTime(),
  startedAt: row.startedAt?.getTime() ?? null,
  finishedAt: row.finishedAt?.getTime() ?? null,
  undoneAt: row.undoneAt?.getTime() ?? null,
});
