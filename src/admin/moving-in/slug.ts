/** The address as this site writes them; empty for what needs letters that it does not have. */
export function slugFrom(slug: string) {
  const words = slug
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[_.\s]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(words) ? words.slice(0, LONGEST_SLUG).replace(/-$/, "") : "";
}

/** Room for a number behind it. */
const LONGEST_SLUG = 110;
