const encoder = new TextEncoder();

/** In UTF-8. */
export const byteLength = (text: string) => encoder.encode(text).length;

/** As much of the beginning of a text as fits into these bytes of UTF-8, without half a character. */
export const cutToBytes = (text: string, max: number) =>
  // A decoder that expects more waits with half a character.
  new TextDecoder().decode(encoder.encode(text).subarray(0, max), { stream: true });
