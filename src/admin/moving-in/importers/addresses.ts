/** Part of an address without its percent signs; as it is where they stand for no UTF-8. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a web page or a file; null for any other, and for a relative one where nobody knows to what. */
export function addressOf(href: string, base: string | null) {
  const url = URL.parse(href.trim(), base ?? undefined);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
