import { requireCapability } from "#worker/access/capabilities.ts";
import { AutomaticPreviewInput, type AutomaticPreview } from "#worker/automatic-letters/contract.ts";
import { readNewest } from "#worker/automatic-letters/items.ts";
import {
  fillTemplate,
  requireTemplate,
  showsText,
  type LetterItem,
} from "#worker/automatic-letters/template.ts";
import { previewLetter } from "#worker/letters/preview.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Items in the preview of a digest. */
const DIGEST_ITEMS = 3;

/**
 * Renders the letter that a template makes of the newest items.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a template that does not show its items
 */
export async function previewAutomaticLetter(
  ctx: Context,
  input: AutomaticPreviewInput,
): Promise<AutomaticPreview> {
  requireCapability("audience", ctx);
  const { frequency, items, ...template } = parseInput(AutomaticPreviewInput, input);
  requireTemplate(template);
  const limit = frequency === "publication" ? 1 : DIGEST_ITEMS;
  const hasText = showsText(template);
  const [{ name, timeZone }, newest] = await Promise.all([
    readSite(ctx),
    readNewest(ctx, items, { limit, hasText }),
  ]);
  const isExample = newest.length === 0;
  const date = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone }).format(ctx.now);
  const words = fillTemplate(template, isExample ? [exampleOf(ctx, items)] : newest, { site: name, date });
  return { ...(await previewLetter(ctx, words)), subject: words.subject, isExample };
}

/** Shown until something is published. */
const exampleOf = ({ config }: Context, items: string): LetterItem => ({
  kind: items === "article" ? "article" : "episode",
  title: items === "article" ? "The title of an essay" : "The title of an episode",
  summary: "What it is about, in a sentence or two.",
  text: "The whole text.",
  picture: null,
  link: config.siteUrl,
});
