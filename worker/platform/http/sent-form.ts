import type { Context } from "#worker/platform/context.ts";

/** A refused form of a browser without scripts, which its page shows again. */
export type SentForm = {
  /** The form's name, unique on a page; null if the body was too large to read. */
  form: string | null;
  /** What was typed, by field. */
  values: Record<string, string>;
  /** The errors of the fields, by name. */
  errors: Record<string, string>;
  /** The error of the form as a whole; null if the fields have the errors. */
  message: string | null;
};

const sentForms = new WeakMap<Context, SentForm>();

/** A context in which a page shows the form. The answer is private and not cached. */
export function showSentForm(ctx: Context, sent: SentForm): Context {
  const own: Context = { ...ctx, dependsOn: () => {}, tags: new Set() };
  sentForms.set(own, sent);
  return own;
}

/** The refused form to show; null if there is none. */
export const sentFormOf = (ctx: Context) => sentForms.get(ctx) ?? null;
