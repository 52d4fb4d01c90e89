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
  /** Whether the sender must first confirm by a link in an email. */
  isUnconfirmed?: boolean;
};

/** The site has reached a daily limit, and says so. */
const UNAVAILABLE = 503;

/** Posts the fields as JSON. Throws if the connection fails or times out. */
export async function post(action: string, fields: object): Promise<SubmitResult> {
  const { ok, status, answer } = await postJson(action, fields);
  if (ok) {
    noteSent(new URL(action).pathname, fields as Record<string, string>);
    return { ok, ...(answer as Pick<SubmitResult, "isUnconfirmed">) };
  }
  const isWorded = status < 500 || status === UNAVAILABLE;
  const { error } = (answer ?? {}) as Partial<ErrorBody>;
  // Not the platform's own 503.
  return isWorded && error?.message ? failure(error) : { ok };
}

/** Analytics sources by sign-up form; others are "page". */
const sources = { inline: "inline_subscribe", popup: "exit_intent_popup", footer: "footer" } as const;

/** Reports a sign-up or a comment to the tracker. */
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

const failure = ({ field, fields, message }: ErrorBody["error"]): SubmitResult =>
  field ? { ok: false, errors: fields ?? { [field]: message } } : { ok: false, message };
