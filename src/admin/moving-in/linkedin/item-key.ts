/** Characters, as the import takes them. */
const LONGEST = 500;

/** What a post is known by within an import: its address, or where that is too long its SHA-256. */
export async function itemKeyOf({ sourceUrl }: { sourceUrl: string }) {
  if (sourceUrl.length <= LONGEST) return sourceUrl;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sourceUrl));
  return `sha256 ${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
