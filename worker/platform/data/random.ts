const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

/** 256 random bits, base64url: 43 characters. */
export function randomToken() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 of a text, base64url. */
export async function sha256(text: string) {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** A deterministic UUID of a text (version 8: custom, RFC 9562 §5.8). */
export async function uuidOf(text: string) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const bytes = hash.slice(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
