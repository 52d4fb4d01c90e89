import { and, eq } from "drizzle-orm";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements by which what is said of a picture in one place is offered in others: its file has these words from then
 * on, if it had none.
 */
export const describeOnce = ({ db }: Context, fileId: string | null, alt: string) =>
  fileId === null || alt === ""
    ? []
    : [
        db
          .update(files)
          .set({ alt })
          .where(and(eq(files.id, fileId), eq(files.alt, ""))),
      ];
