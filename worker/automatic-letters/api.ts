import {
  createAutomaticLetter,
  deleteAutomaticLetter,
  updateAutomaticLetter,
} from "#worker/automatic-letters/commands.ts";
import type { AutomaticPreviewInput } from "#worker/automatic-letters/contract.ts";
import { listAutomaticLetters, readAutomaticLetterForEdit } from "#worker/automatic-letters/owner-queries.ts";
import { previewAutomaticLetter } from "#worker/automatic-letters/preview.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json } from "#worker/platform/http/router.ts";

export const automaticLettersAdminApi = itemRoutes({
  create: createAutomaticLetter,
  readForEdit: readAutomaticLetterForEdit,
  update: updateAutomaticLetter,
  remove: deleteAutomaticLetter,
})
  .get("/", async (c) => c.json(await listAutomaticLetters(c.var.ctx)))
  .post("/preview", json<AutomaticPreviewInput>(), async (c) =>
    c.json(await previewAutomaticLetter(c.var.ctx, c.req.valid("json"))),
  );
