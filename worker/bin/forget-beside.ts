import type { SQL } from "drizzle-orm";
import { forgetNoticed } from "#worker/automatic-letters/notice-publications.ts";
import type { Noun, Statement } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import { forgetPreviewLinks } from "#worker/previews/preview-links.ts";
import { forgetPublications } from "#worker/publications/record-publication.ts";
import { forgetRevisions } from "#worker/revisions/record-revision.ts";

/**
 * The statements that delete what is found through items alone, so that it stays in its tables while they are in the bin:
 * versions, publications, what automatic letters noticed, and preview links. `items` selects their ids as `item`.
 */
export const forgetBeside = (ctx: Context, { versions, inFeed }: Noun, items: SQL): Statement[] =>
  versions
    ? [
        forgetRevisions(ctx, versions.kind, items),
        ...(inFeed
          ? [
              forgetPublications(ctx, versions.kind, items),
              forgetNoticed(ctx, versions.kind, items),
              forgetPreviewLinks(ctx, versions.kind, items),
            ]
          : []),
      ]
    : [];
