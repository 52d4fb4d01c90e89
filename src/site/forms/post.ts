import { note } from "#site/analytics/notes.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

export type SubmitResult = {
  ok: boolean;
  /** The server's message about one field. */
  error?: { field: string; message: string };
  /** The server's message about the form as a whole. */
  message?: string;
  /** Whether the sender has to open a link in a mail first. */
  isUnconfirmed?: boolean;
};

/** Milliseconds. A network that comes and goes, as on a train, may keep a request for minutes without an answer. */
const LONGEST_WAIT = 30_000;

/** Posts the fields as JSON. Throws when the connection fails, or nobody answers. */
export async function post(action: string, fields: object): Promise<SubmitResult> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new Error("Nobody answered.")), LONGEST_WAIT);
  try {
    return await sendJson(action, fields, waiting.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function sendJson(action: string, fields: object, signal: AbortSignal): Promise<SubmitResult> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(action, { method: "POST", headers, body: JSON.stringify(fields), signal });
  if (response.ok) {
    noteSent(new URL(action).pathname, fields as Record<string, string>);
    return { ok: true, ...(await response.json<Pick<SubmitResult, "isUnconfirmed">>()) };
  }
  return response.status < 500 ? failure(await response.json<ErrorBody>()) : { ok: false };
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

const failure = ({ error: { field, message } }: ErrorBody): SubmitResult =>
  field ? { ok: false, error: { field, message } } : { ok: false, message };
