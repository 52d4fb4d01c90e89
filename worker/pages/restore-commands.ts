import { requireCapability } from "#worker/access/capabilities.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { capabilityOf, type EditablePage, type PageChange, type PageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { requirePage } from "#worker/pages/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { RestoreInput } from "#worker/revisions/contract.ts";
import { readRevision } from "#worker/revisions/queries.ts";

/**
 * Restores the content of a former version, as a new version. Fields newer than that version get their defaults; fields
 * that the page no longer has are dropped.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for values that are no longer allowed; `conflict` when
 * the page was changed elsewhere since `basedOn`
 */
export async function restorePage<Slug extends PageSlug>(
  ctx: Context,
  slug: Slug,
  revisionId: number,
  input: RestoreInput,
): Promise<EditablePage<Slug>> {
  requireCapability(capabilityOf(slug), ctx);
  requirePage(slug);
  const { basedOn } = parseInput(RestoreInput, input);
  const { values, savedAt } = await readRevision(ctx, { kind: "page", item: slug }, revisionId);
  const fields = Object.entries(pageDefaults[slug]).map(([name, value]) => [name, values[name] ?? value]);
  const change = { ...Object.fromEntries(fields), basedOn } as PageChange<Slug>;
  return updatePage(ctx, slug, change, { restoredFrom: new Date(savedAt) });
}
