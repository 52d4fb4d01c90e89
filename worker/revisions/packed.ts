type Values = Record<string, unknown>;

/** JSON, gzipped, in base64: a fifth of the length of most texts. */
export async function pack(values: object) {
  const zipped = new Blob([JSON.stringify(values)]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer()).toBase64();
}

export async function unpack(packed: string): Promise<Values> {
  const zipped = new Blob([Uint8Array.fromBase64(packed)]).stream();
  return new Response(zipped.pipeThrough(new DecompressionStream("gzip"))).json();
}
