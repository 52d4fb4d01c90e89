/** Part of an address, percent-decoded; unchanged if it is not valid UTF-8. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The http or https address of a link; null for other schemes, and for a relative link without a base. */
export function addressOf(href: string, base: string | null) {
  const url = URL.parse(href.trim(), base ?? undefined);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
