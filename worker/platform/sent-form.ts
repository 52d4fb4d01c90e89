import type { Context } from "#worker/platform/context.ts";

/** A form that a browser without scripts sent and that was refused: its page shows it again. */
export type SentForm = {
  /** The form's name, unique on a page; null where it was too much to read. */
  form: string | null;
  /** What was typed, by field. */
  values: Record<string, string>;
  /** What is wrong with its fields, by name. */
  errors: Record<string, string>;
  /** What is wrong with the form as a whole; null where the fields say it. */
  message: string | null;
};

const sentForms = new WeakMap<Context, SentForm>();

/** A context in which a page shows the form. Its answer is for one person and depends on nothing. */
export function showSentForm(ctx: Context, sent: SentForm): Context {
  const own: Context = { ...ctx, dependsOn: () => {}, tags: new Set() };
  sentForms.set(own, sent);
  return own;
}

/** The form that the page comes back with; null where nothing was sent. */
export const sentFormOf = (ctx: Context) => sentForms.get(ctx) ?? null;
