import theme from "inline:theme";
import comeBack from "inline:come-back";
import { TITLE } from "../caches.ts";
import { listKept } from "../records.ts";
import { keptPages } from "./stores.ts";
import { pageOf, type Entry } from "./offline-html.ts";

/** The offline page, shown for a page that is not cached: lists the cached episodes and pages. */
export async function offlinePage(shell: string[], address: URL) {
  const script = theme + comeBack;
  const episodes = (await listKept()).map(({ id, title }) => ({ href: `/episode/${id}`, title }));
  const chosen = new Set(episodes.map(({ href }) => href));
  const pages = (await keptPages()).flatMap(entryOf).filter(({ href }) => !chosen.has(href));
  const html = pageOf({ shell, script, address: address.pathname + address.search, episodes, pages });
  return new Response(html, {
    status: 503,
    statusText: "Offline",
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'self'; script-src '${await hashOf(script)}'; object-src 'none'; base-uri 'none'`,
      "Cache-Control": "no-store",
    },
  });
}

function entryOf([href, page]: [string, Response]): Entry[] {
  const title = decodeURIComponent(page.headers.get(TITLE) ?? "");
  return title ? [{ href, title: textOf(title) }] : [];
}

/** Decodes the entities that React writes in a title. */
const textOf = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: keyof typeof written) => written[name]);
const written = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

async function hashOf(script: string) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
