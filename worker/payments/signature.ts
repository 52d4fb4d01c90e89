import { AppError } from "#worker/platform/errors.ts";

/** Seconds between a notice's signature and its arrival, as Stripe's own libraries allow. */
const TOLERANCE = 300;

/**
 * Checks the header `Stripe-Signature` (docs.stripe.com/webhooks#verify-manually): `t` is when it was signed, and one of the `v1` is
 * HMAC-SHA-256 of time and body. There are several while the secret is replaced.
 * @throws `bad_request` without the header; `unauthenticated`
 */
export async function requireStripeSignature(
  { secret, header, body }: { secret: string; header: string | undefined; body: string },
  now: Date,
) {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("=", 2));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  const signatures = parts.flatMap(([name, value]) => (name === "v1" && value ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new AppError("bad_request", "A notice of Stripe carries Stripe-Signature.");
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["verify"]);
  const signed = bytes.encode(`${time}.${body}`);
  const isTimely = Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE;
  // Compares in constant time, unlike a comparison of strings.
  const checks = signatures
    .slice(0, 10)
    .filter((signature) => /^[0-9a-f]{64}$/.test(signature))
    .map((signature) => crypto.subtle.verify("HMAC", key, Uint8Array.fromHex(signature), signed));
  const isSigned = (await Promise.all(checks)).includes(true);
  if (!isSigned || !isTimely)
    throw new AppError("unauthenticated", "This notice’s signature is invalid, or the notice is too old.");
}
