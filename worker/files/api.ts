import { z } from "zod";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import {
  FileListQuery,
  type FileChange,
  type NewFile,
  type Peaks,
  type Replacement,
} from "#worker/files/contract.ts";
import { completeUpload, createUpload, deleteFile, storePeaks, uploadPart } from "#worker/files/commands.ts";
import { replaceFile, updateFile } from "#worker/files/library/commands.ts";
import { listFiles } from "#worker/files/library/queries.ts";
import { readPeaks, readUpload } from "#worker/files/queries.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";

const Part = z.strictObject({ id: z.string(), number: z.coerce.number() });

export const filesApi = router()
  .get("/", valid("query", FileListQuery), async (c) =>
    c.json(await listFiles(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewFile>(), async (c) => c.json(await createUpload(c.var.ctx, c.req.valid("json")), 201))
  .get("/:id", async (c) => c.json(await readUpload(c.var.ctx, c.req.param("id"))))
  .patch("/:id", json<FileChange>(), async (c) =>
    c.json(
      await updateFile(c.var.ctx, c.req.param("id"), c.req.valid("json"), {
        references: fileReferences,
        places: filePlaces,
      }),
    ),
  )
  .post("/:id/replacement", json<Replacement>(), async (c) =>
    c.json(await replaceFile(c.var.ctx, c.req.param("id"), c.req.valid("json"), filePlaces)),
  )
  .put("/:id/parts/:number", valid("param", Part), async (c) =>
    c.json(await uploadPart(c.var.ctx, { ...c.req.valid("param"), body: c.req.raw.body })),
  )
  .post("/:id/complete", async (c) => c.json(await completeUpload(c.var.ctx, c.req.param("id"))))
  .get("/:id/peaks", async (c) => c.json(await readPeaks(c.var.ctx, c.req.param("id"))))
  .put("/:id/peaks", json<Peaks>(), async (c) =>
    c.json(await storePeaks(c.var.ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .delete("/:id", async (c) => {
    await deleteFile(c.var.ctx, c.req.param("id"), fileReferences);
    return c.body(null, 204);
  });
