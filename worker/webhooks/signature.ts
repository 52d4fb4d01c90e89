import { Webhook as Signer } from "standardwebhooks";

/** Bytes of a secret; Standard Webhooks has 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, as receivers enter it. */
export const newSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;

/** The headers of Standard Webhooks (standardwebhooks.com): a signature for each secret that is valid. */
export const signedHeaders = (
  secrets: string[],
  { id, at, body }: { id: string; at: Date; body: string },
) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(" "),
});
