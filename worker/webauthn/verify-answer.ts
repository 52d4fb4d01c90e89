import { decodeCBOR, decodePartialCBOR } from "@levischuck/tiny-cbor";
import { base64url } from "jose";
import { createHash, createPublicKey, verify, type JsonWebKeyInput } from "node:crypto";
import { z } from "zod";
import { logWarning } from "#worker/platform/log.ts";
import type { NewPasskey, PasskeySignIn } from "#worker/webauthn/contract.ts";

/**
 * The checks of a browser's answers (WebAuthn Level 3 §7.1, §7.2). Here and not by a library, which would be mostly about
 * certificates that are not asked for: docs/decisions/0090-passkeys.md.
 */

/** What an answer must be about. */
export type Expected = {
  /** base64url, as in the options. */
  challenge: string;
  origin: string;
  rpId: string;
};

/** COSE's ES256, EdDSA and RS256: those that authenticators have and workerd verifies. The first is the preferred one. */
export const ALGORITHMS = [-7, -8, -257];

/** A valid answer is not that. Only a program sends another one, so the reason is not shown. */
class Fault extends Error {}

type New = { publicKey: string; counter: number };

/** The new credential in a browser's answer; null if the answer is not valid. */
export const verifyAddition = (
  answer: Pick<NewPasskey, "id" | "clientDataJSON" | "attestationObject">,
  expected: Expected,
) =>
  orNull((): New => {
    requireClientData("webauthn.create", answer.clientDataJSON, expected);
    const object = decodeCBOR(bytesOf(answer.attestationObject)) as Map<string, Uint8Array>;
    // The attestation statement is not looked at: any make is welcome.
    const { counter, credential } = requireAuthenticatorData(object.get("authData")!, expected);
    if (!credential || base64url.encode(credential.id) !== answer.id) throw new Fault("credential");
    readKey(credential.publicKey);
    return { publicKey: base64url.encode(credential.publicKey), counter };
  });

/** The authenticator's counter in a valid answer; null if the answer is not valid. The caller compares the counter. */
export const verifySignIn = (
  answer: Pick<PasskeySignIn, "clientDataJSON" | "authenticatorData" | "signature">,
  publicKey: string,
  expected: Expected,
) =>
  orNull(() => {
    requireClientData("webauthn.get", answer.clientDataJSON, expected);
    const data = bytesOf(answer.authenticatorData);
    const { counter } = requireAuthenticatorData(data, expected);
    const { key, hash } = readKey(bytesOf(publicKey));
    const signed = Buffer.concat([data, hashOf(bytesOf(answer.clientDataJSON))]);
    if (!verify(hash, signed, key, bytesOf(answer.signature))) throw new Fault("signature");
    return counter;
  });

/** The reader of CBOR and node:crypto throw plain errors for malformed input; logged, since each may also be a bug. */
function orNull<Result>(check: () => Result) {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Fault)) logWarning("passkeys: an answer was not read", error);
    return null;
  }
}

const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
});

function requireClientData(type: string, clientDataJSON: string, { challenge, origin }: Expected) {
  const data = ClientData.parse(JSON.parse(new TextDecoder().decode(bytesOf(clientDataJSON))));
  if (data.type !== type || data.challenge !== challenge || data.origin !== origin)
    throw new Fault("client data");
}

/** Bits of the flags (§6.1). */
const flag = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 };

/** A user who is present and whom the device has verified: a passkey takes the place of a password and its second factor. */
function requireAuthenticatorData(bytes: Uint8Array, { rpId }: Expected) {
  const data = readAuthenticatorData(bytes);
  if (!hashOf(rpId).equals(data.rpIdHash)) throw new Fault("another site");
  if (!data.has("UP") || !data.has("UV")) throw new Fault("the user was not verified");
  if (data.has("BS") && !data.has("BE")) throw new Fault("backed up, but not eligible for it");
  return data;
}

/** Authenticator data (§6.1): a hash of 32 bytes, the flags, a counter, and then what the flags name. */
function readAuthenticatorData(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (name: keyof typeof flag) => (view.getUint8(32) & flag[name]) !== 0;
  const credential = has("AT") ? readCredential(bytes, view) : undefined;
  const end = credential?.end ?? FIXED;
  if (bytes.length < end || (bytes.length > end && !has("ED"))) throw new Fault("length");
  return { rpIdHash: bytes.subarray(0, 32), has, counter: view.getUint32(33), credential };
}

/** Bytes before the credential. */
const FIXED = 37;
const AAGUID = 16;

/** Attested credential data (§6.5.2): the make, the id with its length, and the key. */
function readCredential(bytes: Uint8Array, view: DataView) {
  const length = FIXED + AAGUID;
  const start = length + 2;
  const keyStart = start + view.getUint16(length);
  const [, keyLength] = decodePartialCBOR(bytes, keyStart);
  const end = keyStart + keyLength;
  return { id: bytes.slice(start, keyStart), publicKey: bytes.slice(keyStart, end), end };
}

const hashOf = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

const bytesOf = (encoded: string) => new Uint8Array(base64url.decode(encoded));

/** A COSE_Key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4) by its labels. */
type CoseKey = Map<number, number | Uint8Array>;

const KTY = 1;
const ALG = 3;

function readKey(encoded: Uint8Array) {
  const cose = decodeCBOR(encoded) as CoseKey;
  const text = (label: number) => base64url.encode(cose.get(label) as Uint8Array);
  const is = (kty: number, curve?: number) =>
    cose.get(KTY) === kty && (curve === undefined || cose.get(-1) === curve);
  const keyOf = (key: JsonWebKeyInput["key"]) => createPublicKey({ key, format: "jwk" });
  switch (cose.get(ALG)) {
    case -7:
      if (!is(2, 1)) break;
      return { key: keyOf({ kty: "EC", crv: "P-256", x: text(-2), y: text(-3) }), hash: "sha256" };
    case -8:
      if (!is(1, 6)) break;
      return { key: keyOf({ kty: "OKP", crv: "Ed25519", x: text(-2) }), hash: null };
    case -257:
      if (!is(3)) break;
      return { key: keyOf({ kty: "RSA", n: text(-1), e: text(-2) }), hash: "sha256" };
  }
  throw new Fault("a key that was not asked for");
}
