import { createHmac } from "node:crypto";
import { Secret, TOTP } from "otpauth/bare";
import { renderSVG } from "uqr";

/** One-time codes by RFC 6238, as every authenticator app makes them: SHA-1, six digits, a new one every 30 seconds. */

const ALGORITHM = "SHA1";
const DIGITS = 6;
/** Seconds. */
const PERIOD = 30;
/** Bytes of a new secret: the length of the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Steps by which the phone's clock may be ahead or behind. */
const WINDOW = 1;

/** In base32, as people type it. */
export const newTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32;

/** The step of the code; null for a wrong one. The caller refuses a step that was used: each code works once. */
export function stepOfCode(secret: string, code: string, now: Date) {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** What an authenticator app reads: the address of the secret, and its QR code as SVG. */
export function enrolmentOf(secret: string, { issuer, label }: { issuer: string; label: string }) {
  // The colon separates the two in the address.
  const uri = totpOf(secret, { issuer: issuer.replaceAll(":", " "), label }).toString();
  return { uri, qrCode: renderSVG(uri, { ecc: "M", border: 4 }) };
}

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD,
    hmac: (_, key, message) => createHmac("sha1", key).update(message).digest(),
  });
