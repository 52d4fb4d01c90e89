import { z } from "zod";
import { listFilesParts, openFilesPart, recordFilesExport } from "#worker/exports/files.ts";
import type { FilesPartQuery, PieceQuery } from "#worker/exports/contract.ts";
import { readOutline, readPiece } from "#worker/exports/pieces.ts";
import { exportSite } from "#worker/exports/zip.ts";
import { parseRange, resolveRange } from "#worker/files/ranges.ts";
import type { Context } from "#worker/platform/context.ts";
import { query, router, valid } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";

const PartParam = z.strictObject({ number: z.coerce.number().int().positive().max(10_000) });

const hostOf = ({ config }: Context) => new URL(config.siteUrl).hostname;

/** `/api/admin/export` */
export const exportApi = router()
  .get("/", async (c) => {
    const zip = await exportSite(c.var.ctx);
    const day = await today(c.var.ctx);
    return c.body(zip, 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${hostOf(c.var.ctx)}-${day}.zip"`,
      "Cache-Control": "no-store",
    });
  })
  .get("/outline", async (c) => c.json(await readOutline(c.var.ctx)))
  .get("/pieces", query<PieceQuery>(), async (c) => c.json(await readPiece(c.var.ctx, c.req.valid("query"))))
  .get("/files", async (c) => c.json(await listFilesParts(c.var.ctx)))
  .get("/files/:number", valid("param", PartParam), query<FilesPartQuery>(), async (c) => {
    const { ctx } = c.var;
    const { number } = c.req.valid("param");
    const { zip, etag } = await openFilesPart(ctx, number, c.req.valid("query"));
    const headers = {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${hostOf(ctx)}-files-${number}.zip"`,
      "Cache-Control": "no-store",
      "Accept-Ranges": "bytes",
      ETag: etag,
    };
    const isSame = (c.req.header("If-Range") ?? etag) === etag;
    const range = isSame ? parseRange(c.req.header("Range") ?? null) : null;
    const served = range === null || range === "unsatisfiable" ? null : resolveRange(range, zip.size);
    if (range !== null && served === null)
      return c.body(null, 416, { ...headers, "Content-Range": `bytes */${zip.size}` });
    const { first, last } = served ?? { first: 0, last: zip.size - 1 };
    await recordFilesExport(ctx, number, { isContinued: first > 0 });
    const length = last - first + 1;
    // Over HTTP, workerd states a length only for a stream that has one.
    const { readable, writable } = new FixedLengthStream(length);
    void zip.writeTo(writable, first, length);
    return c.body(readable, served ? 206 : 200, {
      ...headers,
      "Content-Length": String(length),
      ...(served && { "Content-Range": `bytes ${first}-${last}/${zip.size}` }),
    });
  });
