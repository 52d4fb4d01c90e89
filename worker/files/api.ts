import { z } from "zod";
import { fileReferences } from "#worker/file-references.ts";
import { NewFile } from "#worker/files/contract.ts";
import { completeUpload, deleteFile, readUpload, startUpload, storePart } from "#worker/files/uploads.ts";
import { router, valid } from "#worker/platform/http.ts";

const Id = z.strictObject({ id: z.string().max(64) });
/** R2 numbers parts from 1 to 10,000. */
const Part = Id.extend({ number: z.coerce.number().int().min(1).max(10_000) });

export const filesApi = router()
  .post("/", valid("json", NewFile), async (c) =>
    c.json(await startUpload(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", Id), async (c) => c.json(await readUpload(c.var.ctx, c.req.valid("param").id)))
  .put("/:id/parts/:number", valid("param", Part), async (c) =>
    c.json(await storePart(c.var.ctx, { ...c.req.valid("param"), body: c.req.raw.body })),
  )
  .post("/:id/complete", valid("param", Id), async (c) =>
    c.json(await completeUpload(c.var.ctx, c.req.valid("param").id)),
  )
  .delete("/:id", valid("param", Id), async (c) => {
    await deleteFile(c.var.ctx, c.req.valid("param").id, fileReferences);
    return c.json({ success: true });
  });
