import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { extname, join } from "node:path";
import { startHttpServer } from "./http-server.ts";

const types: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".xml": "application/xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".mp3": "audio/mpeg",
};

/** A plain host of files: it knows index.html, 404.html and ranges, and reads neither `_redirects` nor `_headers`. */
export function startStaticHost(folder: string) {
  const answer: RequestListener = (request, response) => {
    const { pathname, search } = new URL(request.url!, "http://localhost");
    const path = decodeURIComponent(pathname);
    const isFolder = existsSync(join(folder, path)) && statSync(join(folder, path)).isDirectory();
    if (isFolder && !path.endsWith("/")) {
      response.writeHead(301, { Location: `${pathname}/${search}` }).end();
      return;
    }
    const file = join(folder, isFolder ? `${path}index.html` : path);
    if (!existsSync(file)) {
      response.writeHead(404, { "Content-Type": "text/html" }).end(readFileSync(join(folder, "404.html")));
      return;
    }
    const { size } = statSync(file);
    const headers = {
      "Content-Type": types[extname(file)] ?? "application/octet-stream",
      "Accept-Ranges": "bytes",
    };
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (first === undefined) {
      response.writeHead(200, { ...headers, "Content-Length": size });
      createReadStream(file).pipe(response);
      return;
    }
    const range = { start: Number(first), end: last ? Number(last) : size - 1 };
    response.writeHead(206, {
      ...headers,
      "Content-Length": range.end - range.start + 1,
      "Content-Range": `bytes ${range.start}-${range.end}/${size}`,
    });
    createReadStream(file, range).pipe(response);
  };
  return startHttpServer(answer);
}
