import { and, eq } from "drizzle-orm";
import { mayPublish } from "#worker/access/capabilities.ts";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that offer a picture's description elsewhere: its file gets this description, if it had none. None for a
 * token without the scope `publish`, since published items may show the file.
 */
export const describeOnce = (ctx: Context, fileId: string | null, alt: string) =>
  fileId === null || alt === "" || !mayPublish(ctx)
    ? []
    : [
        ctx.db
          .update(files)
          .set({ alt })
          .where(and(eq(files.id, fileId), eq(files.alt, ""))),
      ];
