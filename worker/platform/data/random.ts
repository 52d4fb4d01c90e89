const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

/** 256 random bits, base64url: 43 characters. */
export function randomToken() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** SHA-256 of a text, base64url. */
export const sha256 = async (text: string) => base64url(await digest(text));

const asUuid = (bytes: Uint8Array) => bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** 128 random bits that look like a UUID. In a UUID, version and variant take six of them. */
export const randomId = () => asUuid(crypto.getRandomValues(new Uint8Array(16)));

/** The same of a text's SHA-256: as hard to guess as the text. */
export const idOf = async (text: string) => asUuid((await digest(text)).subarray(0, 16));

/** A deterministic UUID of a text (version 8: custom, RFC 9562 §5.8). */
export async function uuidOf(text: string) {
  const bytes = (await digest(text)).slice(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return asUuid(bytes);
}
