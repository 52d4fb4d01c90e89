/** Characters, as the import takes them. */
const LONGEST = 500;

/** A post's key within an import: its address, or the SHA-256 of a long one. */
export async function itemKeyOf({ sourceUrl }: { sourceUrl: string }) {
  if (sourceUrl.length <= LONGEST) return sourceUrl;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sourceUrl));
  return `sha256 ${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
