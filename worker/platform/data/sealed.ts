import { base64url } from "jose";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * Secrets that the site must read again, such as signing keys. Where the deployment has the secret KEY_SECRET, the
 * database has them encrypted (AES-GCM, by a key that HKDF derives); without it, plain. See
 * docs/decisions/0098-key-rotation.md.
 */
export type Keys = { config: Pick<Context["config"], "keySecrets"> };

/**
 * How each encrypted value begins. The rest is the id of the KEY_SECRET, a colon, and base64url of the nonce and the
 * ciphertext. Anything else is plain.
 */
export const SEALED = "sealed:";

const NONCE_BYTES = 12;

/**
 * The text as the database stores it. `purpose` names what it is, such as `signing-key`: a value that is moved to a column
 * with another purpose cannot be read there.
 */
export async function seal(ctx: Keys, purpose: string, text: string) {
  const [secret] = ctx.config.keySecrets;
  if (secret === undefined) return text;
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await encryptionKeyOf(secret, purpose);
  const encrypted = await crypto.subtle.encrypt(aesOf(nonce), key, new TextEncoder().encode(text));
  return (
    (await prefixOf(secret)) + base64url.encode(new Uint8Array([...nonce, ...new Uint8Array(encrypted)]))
  );
}

/** The text of a stored value; null if the KEY_SECRET that encrypted it is missing, or the value is damaged. */
export async function unseal(ctx: Keys, purpose: string, stored: string) {
  if (!stored.startsWith(SEALED)) return stored;
  for (const secret of ctx.config.keySecrets) {
    const prefix = await prefixOf(secret);
    if (!stored.startsWith(prefix)) continue;
    try {
      const bytes = base64url.decode(stored.slice(prefix.length));
      const [nonce, encrypted] = [bytes.slice(0, NONCE_BYTES), bytes.slice(NONCE_BYTES)];
      const key = await encryptionKeyOf(secret, purpose);
      return new TextDecoder().decode(await crypto.subtle.decrypt(aesOf(nonce), key, encrypted));
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * The same for work that cannot continue without the text.
 * @throws `unavailable`, with what the owner has to do
 */
export async function requireUnsealed(ctx: Keys, purpose: string, stored: string) {
  const text = await unseal(ctx, purpose, stored);
  if (text === null) throw new AppError("unavailable", UNREADABLE);
  return text;
}

const UNREADABLE =
  "This site can’t read one of its secrets, because the deployment’s KEY_SECRET is missing or another one. See Settings → System.";

/** Whether `seal` would store the value so: encrypted by the first KEY_SECRET, or plain without one. */
export async function isSealedNow({ config }: Keys, stored: string) {
  const [secret] = config.keySecrets;
  return secret === undefined ? !stored.startsWith(SEALED) : stored.startsWith(await prefixOf(secret));
}

/** How the encrypted values begin that can be read. */
export const readablePrefixes = ({ config }: Keys) => Promise.all(config.keySecrets.map(prefixOf));

const aesOf = (iv: Uint8Array<ArrayBuffer>) => ({ name: "AES-GCM", iv });

/** By purpose and secret: each isolate derives a key once. */
const encryptionKeys = new Map<string, CryptoKey>();

async function encryptionKeyOf(secret: string, purpose: string) {
  const name = `${purpose} ${secret}`;
  const known = encryptionKeys.get(name);
  if (known) return known;
  const kind = { name: "AES-GCM", length: 256 };
  const key = await crypto.subtle.deriveKey(
    hkdfOf(`encryption of ${purpose}`),
    await materialOf(secret),
    kind,
    false,
    ["encrypt", "decrypt"],
  );
  encryptionKeys.set(name, key);
  return key;
}

const prefixes = new Map<string, string>();

/** Names the secret without revealing it. */
async function prefixOf(secret: string) {
  const known = prefixes.get(secret);
  if (known) return known;
  const id = await crypto.subtle.deriveBits(hkdfOf("id"), await materialOf(secret), 48);
  const prefix = `${SEALED}${base64url.encode(new Uint8Array(id))}:`;
  prefixes.set(secret, prefix);
  return prefix;
}

const materialOf = (secret: string) =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), "HKDF", false, [
    "deriveBits",
    "deriveKey",
  ]);

const hkdfOf = (use: string) => ({
  name: "HKDF",
  hash: "SHA-256",
  salt: new Uint8Array(),
  info: new TextEncoder().encode(`rostrum: ${use}`),
});

/** Characters: HKDF does not slow down guesses, so a short secret could be found. */
export const SHORTEST_KEY_SECRET = 32;

/** The secrets in KEY_SECRET: the first encrypts, and former ones, after commas, still decrypt. Short ones are not used. */
export function keySecretsOf(value = "") {
  const given = value
    .split(",")
    .map((secret) => secret.trim())
    .filter(Boolean);
  const keySecrets = given.filter((secret) => secret.length >= SHORTEST_KEY_SECRET);
  return { keySecrets, hasShortKeySecret: keySecrets.length < given.length };
}
