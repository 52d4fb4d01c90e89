/** Part of an address without its percent signs; as it is where they stand for no UTF-8. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
