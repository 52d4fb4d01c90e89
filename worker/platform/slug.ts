/** Lowercase, accents dropped, every run of other characters a hyphen. Empty when nothing is left. */
export function slugOf(text: string) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 120)
    .replace(/^-+|-+$/g, "");
}
