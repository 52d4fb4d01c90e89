/** A percent-encoded text; one that is malformed, such as `50%`, as it is. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
