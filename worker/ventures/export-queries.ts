import { asc, eq } from "drizzle-orm";
import { exportedColumns, jsonList, type Exporter } from "#worker/exports/exported.ts";
import { image } from "#worker/files/library/joins.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { ventures } from "#worker/ventures/table.ts";

/** Ventures, hidden ones included. */
export const venturesForExport: Exporter = async function* ({ db, config: { siteUrl } }) {
  const rows = await db
    .select({ ...exportedColumns(ventures), imageKey: image.key })
    .from(ventures)
    .leftJoin(image, eq(image.id, ventures.imageFileId))
    .orderBy(asc(ventures.sortOrder), asc(ventures.id));
  yield jsonList(
    "ventures.json",
    rows.map(({ imageKey, ...row }) => ({ ...row, image: imageKey && siteUrl + mediaUrl(imageKey) })),
  );
};
