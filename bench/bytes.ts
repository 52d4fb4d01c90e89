import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../scripts/tools.ts";

/** What a first visit without a cache ships: the page, and every asset that it names. */
export async function firstVisit(site: string, path: string) {
  const html = await (await fetch(`${site}${path}`)).text();
  const named = [
    ...html.matchAll(
      /(?:href|src)="(\/assets\/[^"]+)"|import\("(\/assets\/[^"]+)"\)|from "(\/assets\/[^"]+)"/g,
    ),
  ];
  const assets = [...new Set(named.map(([, ...paths]) => paths.find(Boolean) ?? ""))];
  const sizeOf = (extension: string) =>
    assets.filter((asset) => asset.endsWith(extension)).reduce((sum, asset) => sum + shippedBytes(asset), 0);
  return {
    html: gzipSync(html).byteLength,
    css: sizeOf(".css"),
    js: sizeOf(".js"),
    fonts: sizeOf(".woff2"),
  };
}

function shippedBytes(asset: string) {
  const bytes = readFileSync(join(root, "build", "client", asset));
  return asset.endsWith(".woff2") ? bytes.byteLength : gzipSync(bytes).byteLength;
}
