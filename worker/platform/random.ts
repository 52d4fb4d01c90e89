const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

/** 256 random bits, base64url: 43 characters. */
export function randomToken() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 of a text, base64url. */
export async function sha256(text: string) {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
