import { and, eq } from "drizzle-orm";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statements that offer a picture's description elsewhere: its file gets this description, if it had none. */
export const describeOnce = ({ db }: Context, fileId: string | null, alt: string) =>
  fileId === null || alt === ""
    ? []
    : [
        db
          .update(files)
          .set({ alt })
          .where(and(eq(files.id, fileId), eq(files.alt, ""))),
      ];
