import { IdParam } from "#worker/platform/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import type { PreviewLinkUseCases } from "#worker/previews/preview-links.ts";
import { retryPing } from "#worker/publications/commands.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { readFollowUps } from "#worker/publications/queries.ts";
import { RevisionParam, type RestoreInput } from "#worker/revisions/contract.ts";

type UseCases<Editable extends object> = {
  restore(ctx: Context, id: number, revision: number, input: RestoreInput): Promise<Editable>;
  previewLink: PreviewLinkUseCases;
};

/** The routes of an article's or episode's publication, versions and preview link. */
export const publicationRoutes = <Editable extends object>(
  kind: PublicationKind,
  { restore, previewLink }: UseCases<Editable>,
) =>
  router()
    .get("/:id/publication", valid("param", IdParam), async (c) =>
      c.json(await readFollowUps(c.var.ctx, kind, c.req.valid("param").id)),
    )
    .post("/:id/publication/ping", valid("param", IdParam), async (c) => {
      await retryPing(c.var.ctx, kind, c.req.valid("param").id);
      return c.body(null, 204);
    })
    .post(
      "/:id/revisions/:revision/restore",
      valid("param", RevisionParam),
      json<RestoreInput>(),
      async (c) => {
        const { id, revision } = c.req.valid("param");
        return c.json(await restore(c.var.ctx, id, revision, c.req.valid("json")));
      },
    )
    .post("/:id/preview-link", valid("param", IdParam), async (c) =>
      c.json(await previewLink.create(c.var.ctx, c.req.valid("param").id), 201),
    )
    .delete("/:id/preview-link", valid("param", IdParam), async (c) => {
      await previewLink.remove(c.var.ctx, c.req.valid("param").id);
      return c.body(null, 204);
    });
