import { Webhook } from "standardwebhooks";
import { AppError } from "#worker/platform/errors.ts";

/** Svix, which Resend uses, has its own names for the headers of Standard Webhooks. */
const PREFIXES = ["svix", "webhook"];
const PARTS = ["id", "timestamp", "signature"] as const;

/**
 * Checks a report's signature and that it is at most five minutes old. Returns its id, which is the same on every
 * retry.
 * @throws `bad_request` without the headers; `unauthenticated`
 */
export function requireSignature(secret: string, headers: Headers, body: string) {
  const prefix = PREFIXES.find((name) => headers.has(`${name}-id`));
  const [id, timestamp, signature] = PARTS.map((part) => headers.get(`${prefix}-${part}`));
  if (!id || !timestamp || !signature || id.length > 200) {
    throw new AppError("bad_request", "A report carries svix-id, svix-timestamp and svix-signature.");
  }
  const webhook = new Webhook(secret);
  try {
    const signed = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
    webhook.verify(body, signed, { jsonParse: false });
  } catch {
    throw new AppError("unauthenticated", "This report’s signature is invalid, or the report is too old.");
  }
  return id;
}
