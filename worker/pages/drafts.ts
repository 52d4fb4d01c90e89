import type { PageSlug } from "#worker/pages/contract.ts";
import type { Context } from "#worker/platform/context.ts";

type Shown = Record<string, unknown>;

const drafts = new WeakMap<Context, { slug: PageSlug; shown: Shown }>();

/** A visitor's context, in which one page has this content. The answer is private and not cached. */
export function showDraft(ctx: Context, slug: PageSlug, shown: Shown): Context {
  const draft: Context = {
    ...ctx,
    actor: { kind: "visitor" },
    dependsOn: () => {},
    tags: new Set(),
  };
  drafts.set(draft, { slug, shown });
  return draft;
}

/** The content of a page in this context only. */
export function draftOf(ctx: Context, slug: PageSlug) {
  const draft = drafts.get(ctx);
  return draft?.slug === slug ? draft.shown : undefined;
}
