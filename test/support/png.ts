/** A PNG of one grey, which differs by its `shade`. */
export async function pngOf(width: number, height: number, shade = 128): Promise<Uint8Array<ArrayBuffer>> {
  const rows = new Uint8Array((width + 1) * height).map((_, at) => (at % (width + 1) === 0 ? 0 : shade));
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const header = new Uint8Array([...uint32(width), ...uint32(height), 8, 0, 0, 0, 0]);
  const parts = [
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const uint32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

function chunk(type: string, data: Uint8Array) {
  const named = new Uint8Array([...new TextEncoder().encode(type), ...data]);
  return new Uint8Array([...uint32(data.length), ...named, ...uint32(crc(named))]);
}

function crc(bytes: Uint8Array) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
