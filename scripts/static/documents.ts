import { readdress, readdressFeed } from "./readdress.ts";
import { targetOf, type Move } from "./targets.ts";

/** The text of a feed, sitemap or another document for programs, with the new address. */
export function textFile(file: string, text: string, move: Move) {
  if (file.startsWith("/rss/")) return readdressFeed(withPageNames(text, move), move);
  // The site's disallows what these files do not have.
  if (file === "/robots.txt") return `User-agent: *\nAllow: /\n\nSitemap: ${move.address}/sitemap.xml\n`;
  const own = readdress(text, move);
  if (file === "/sitemap.xml") return withFolders(own);
  return file === "/llms.txt" ? withoutLines(own, "/api/") : own;
}

/** The pages of a long feed are files, since hosts of files ignore parameters. */
const withPageNames = (xml: string, move: Move) =>
  xml.replaceAll(/(?<=href=")[^"]*\?page=\d+/g, (link) => {
    const target = targetOf(new URL(link), move);
    return typeof target === "string" ? link : move.from + target.href;
  });

/** Pages are folders. */
const withFolders = (sitemap: string) =>
  sitemap.replaceAll(/(?<=<loc>)[^<]*/g, (address) => address.replace(/\/?$/, "/"));

const withoutLines = (text: string, part: string) =>
  text
    .split("\n")
    .filter((line) => !line.includes(part))
    .join("\n");

/**
 * A style sheet of the build for pages without scripts in browsers that run scripts: what holds where there are none holds
 * here.
 */
export const withoutScripting = (css: string) =>
  css
    .replaceAll(/@media \(scripting:\s*none\)/g, "@media all")
    .replaceAll(/@media \(scripting(?::\s*enabled)?\)/g, "@media not all");
