import { note } from "#site/analytics/notes.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";
import type { FieldErrors } from "./check.ts";
import { postJson } from "./post-json.ts";

export type SubmitResult = {
  ok: boolean;
  /** The server's messages about fields. */
  errors?: FieldErrors;
  /** The server's message about the form as a whole. */
  message?: string;
  /** Whether the sender has to open a link in a mail first. */
  isUnconfirmed?: boolean;
};

/** Posts the fields as JSON. Throws when the connection fails, or nobody answers. */
export async function post(action: string, fields: object): Promise<SubmitResult> {
  const { ok, status, answer } = await postJson(action, fields);
  if (ok) {
    noteSent(new URL(action).pathname, fields as Record<string, string>);
    return { ok, ...(answer as Pick<SubmitResult, "isUnconfirmed">) };
  }
  return status < 500 && answer ? failure(answer as ErrorBody) : { ok };
}

/** By the form that a sign-up came from; others are a page's. */
const sources = { inline: "inline_subscribe", popup: "exit_intent_popup", footer: "footer" } as const;

/** Tells the tracker of a sign-up or a comment. */
function noteSent(path: string, { source, contentType, contentId }: Record<string, string>) {
  if (path === "/api/newsletter/subscribe")
    note({
      type: "newsletter_signup",
      metadata: { source: sources[source as keyof typeof sources] ?? "page" },
    });
  if (path === "/api/comments")
    note({
      type: "engagement",
      metadata: { action: "comment" },
      content: `${contentType as "article" | "episode"} ${contentId}`,
    });
}

const failure = ({ error: { field, fields, message } }: ErrorBody): SubmitResult =>
  field ? { ok: false, errors: fields ?? { [field]: message } } : { ok: false, message };
