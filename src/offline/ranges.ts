import { parseRange, resolveRange } from "#worker/files/ranges.ts";

/**
 * Answers a range request from downloaded audio, by the rules of /media: browsers seek with range requests, and Safari
 * plays only if its first one gets a 206.
 */
export async function answerRange(kept: Response, asked: string | null) {
  const range = parseRange(asked);
  if (range === null) return kept;
  const whole = await kept.blob();
  const served = range === "unsatisfiable" ? null : resolveRange(range, whole.size);
  if (!served) {
    const headers = { "Content-Range": `bytes */${whole.size}`, "Accept-Ranges": "bytes" };
    return new Response(null, { status: 416, headers });
  }
  const { first, last } = served;
  const headers = new Headers(kept.headers);
  headers.set("Content-Length", String(last - first + 1));
  headers.set("Content-Range", `bytes ${first}-${last}/${whole.size}`);
  const type = headers.get("Content-Type") ?? undefined;
  return new Response(whole.slice(first, last + 1, type), { status: 206, headers });
}
