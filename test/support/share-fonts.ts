import { readFileSync } from "node:fs";
import { shareFontFiles } from "../../scripts/share-fonts.ts";

const files = shareFontFiles();

/** What the deployed assets answer for a font of the pictures for sharing. */
export function answerWithShareFont(request: { url: string }) {
  const path = files.get(new URL(request.url).pathname.slice(1));
  return path ? new Response(readFileSync(path)) : new Response(null, { status: 404 });
}
