import { documents, pages, type PagePath } from "#worker/addresses.ts";
import { embedPath } from "#worker/embeds/frame.ts";
import { listPublicPlaylists, playlistFeedPath } from "#worker/playlists/public-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { bundleScript } from "../bundle-script.ts";
import { bundleServiceWorker, KILL_SWITCH } from "../service-worker-file.ts";
import { stylesheetLinks } from "./check-links.ts";
import { addContentPolicy } from "./content-policy.ts";
import { textFile, withoutScripting } from "./documents.ts";
import { filesIn, type Files } from "./files.ts";
import { headersFile } from "./headers.ts";
import { serializePage, TIMESTAMPS, toStaticPage, type PageOptions } from "./page.ts";
import { queueOf, type Queue } from "./queue.ts";
import { addressesIn } from "./readdress.ts";
import { readRedirects, redirectLines, type Redirect } from "./redirects.ts";
import { searchDocumentOf, searchIndexOf, type SearchDocument } from "./search-index.ts";
import { SEARCH_INDEX, SEARCH_SCRIPT, toSearchPage } from "./search-page.ts";
import type { Move, Target } from "./targets.ts";

export type WriteSite = Omit<Move, "redirects"> & {
  /** An empty folder. */
  folder: string;
  /** Where the site runs. */
  url: string;
  ctx: Context;
};

export type Written = {
  /** The site's name. */
  name: string;
  files: number;
  bytes: number;
  redirects: Redirect[];
  /** Redirects of addresses with a query, which `_redirects` cannot have. */
  omitted: Redirect[];
  /** Addresses of recordings that stay at the old address. */
  recordings: string[];
  /** Addresses that neither this site nor, for uploaded files, the old address has. */
  missing: string[];
};

type Visit = {
  options: PageOptions;
  ask: (path: string) => Promise<Response>;
  files: Files;
  queue: Queue;
  /** The pages that the search finds. */
  found: SearchDocument[];
  missing: string[];
};

/** Robots are not counted as listeners. */
const AS_ROBOT = { "User-Agent": "rostrum-static (bot; npm run static)" };
const NOWHERE = "/this-page-does-not-exist";

/** Writes every public address of a running site into a folder. */
export async function writeSite({ folder, url, ctx, ...given }: WriteSite): Promise<Written> {
  const [{ name, contactEmail, language, timeZone }, all] = await Promise.all([
    readSite(ctx),
    readRedirects(ctx, given),
  ]);
  const options = {
    ...given,
    redirects: new Map(all.map(({ from, to }) => [from, to])),
    email: contactEmail,
  };
  const files = filesIn(folder);
  const queue = queueOf(options);
  let requests = 0;
  const ask = (path: string) =>
    fetch(url + path, {
      // The site draws a limited number of sharing pictures for an address.
      headers: { ...AS_ROBOT, "CF-Connecting-IP": loopbackAddress(requests++) },
      // A replaced file redirects to its replacement.
      redirect: path.startsWith("/media/") ? "follow" : "manual",
    });
  const visit: Visit = { options, ask, files, queue, found: [], missing: [] };

  queue.addAddresses(fixedAddresses);
  for (const { id } of await listPublicPlaylists(ctx))
    queue.addAddresses([`/playlists/${id}`, playlistFeedPath(id), embedPath("playlist", id)]);
  await queue.saveAll((target) => saveTarget(visit, target));
  await saveMissingPage(visit);
  await saveSearch(visit, new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone }));

  await files.save(TIMESTAMPS, await bundleScript("scripts/static/browser/timestamps.ts"));
  // Visitors of the old site have a service worker, which would show its pages.
  await files.save("/sw.js", await bundleServiceWorker({ BUILD: "", SHELL: [] }, KILL_SWITCH));
  await files.save("/_headers", headersFile());
  const redirects = all.filter(({ from }) => !queue.has(from));
  const hasQuery = ({ from }: Redirect) => from.includes("?");
  await files.save("/_redirects", redirectLines(redirects.filter((each) => !hasQuery(each))));
  const recordings = [...queue.recordings].toSorted();
  if (recordings.length > 0) await files.save("/audio.txt", recordings.map((each) => `${each}\n`).join(""));
  return {
    name,
    ...files.written,
    redirects: redirects.filter((each) => !hasQuery(each)),
    omitted: redirects.filter(hasQuery),
    recordings,
    missing: visit.missing,
  };
}

/** An IPv4 address of this machine. */
const loopbackAddress = (number: number) =>
  ["127", number >> 16, (number >> 8) & 255, number & 255].join(".");

/** Fixed pages, documents and icons. What they link to follows. */
const fixedAddresses = [
  ...Object.keys(pages)
    .filter((path) => !path.includes(":") && !pages[path as PagePath].isPersonal)
    // Members sign in on the server.
    .filter((path) => path !== "/account"),
  ...Object.keys(documents).filter((path) => !path.includes(":")),
  "/favicon.ico",
  "/favicon.svg",
  "/favicon-32.png",
  "/apple-touch-icon.png",
  "/icon-192.png",
  "/icon-512.png",
  "/feed.css",
];

async function saveTarget(visit: Visit, target: Target) {
  const { files, missing } = visit;
  const answer = await visit.ask(target.source);
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (isRedirect && target.source.startsWith("/rss/")) throw redirectedFeed(answer);
  if (answer.status === 404 && isUpload(target)) return saveOldMedia(visit, target);
  // A page that is switched off, or a link that is dead or malformed on the site as well.
  if (isRedirect || answer.status === 404 || answer.status === 400) {
    if (!fixedAddresses.includes(target.source)) missing.push(target.source);
    return;
  }
  if (!answer.ok) throw new Error(`${target.source} answered ${answer.status}.`);
  if (isUpload(target) || target.source.startsWith("/share/")) return files.saveBody(target.file, answer);
  const type = answer.headers.get("Content-Type") ?? "";
  if (type.startsWith("text/html")) return savePage(visit, target, answer);
  return isText(type) ? saveText(visit, target, await answer.text()) : files.saveBody(target.file, answer);
}

const isUpload = ({ source }: Target) => source.startsWith("/media/");
const isText = (type: string) => /^text\/|json|xml|subrip/.test(type);

const redirectedFeed = ({ headers }: Response) =>
  new Error(
    `The feed redirects to ${headers.get("Location")}. Switch that off here (Podcast, Show) and run this again.`,
  );

async function savePage({ options, files, queue, found }: Visit, target: Target, answer: Response) {
  const page = toStaticPage(await answer.text(), new URL(target.source, options.from), options);
  page.targets.forEach(queue.add);
  const document = searchDocumentOf(page.document, target.href);
  if (document) found.push(document);
  const embed = target.source.startsWith("/embed/") ? answer.headers.get("Content-Security-Policy") : null;
  addContentPolicy(page.document, embed, options);
  await files.save(target.file, serializePage(page.document));
}

async function saveText({ options, files, queue }: Visit, { file }: Target, text: string) {
  if (file.endsWith(".css")) {
    queue.addAddresses(stylesheetLinks(text).map((link) => new URL(link, options.from + file).href));
    return files.save(file, withoutScripting(text));
  }
  queue.addAddresses(addressesIn(text, options.from));
  return files.save(file, textFile(file, text, options));
}

/** A local copy of a site's database has no uploaded files: they are at the old address. */
async function saveOldMedia({ options: { from }, files, missing }: Visit, { source, file }: Target) {
  const isHere = ["localhost", "127.0.0.1"].includes(new URL(from).hostname);
  const answer = isHere ? null : await fetch(from + source, { headers: AS_ROBOT }).catch(() => null);
  if (answer?.ok) await files.saveBody(file, answer);
  else missing.push(source);
}

async function saveMissingPage({ ask, options, files }: Visit) {
  const text = await (await ask(NOWHERE)).text();
  const { document } = toStaticPage(text, new URL(NOWHERE, options.from), options);
  addContentPolicy(document, null, options);
  await files.save("/404.html", serializePage(document));
}

/** The search page, its script and its index. */
async function saveSearch({ ask, options, files, found }: Visit, format: Intl.DateTimeFormat) {
  const newestFirst = found
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .map((each) => ({ ...each, date: each.date && format.format(new Date(each.date)) }));
  const text = await (await ask("/search")).text();
  const { document } = toStaticPage(text, new URL("/search", options.from), options);
  toSearchPage(document, newestFirst);
  addContentPolicy(document, null, options);
  await files.save("/search/index.html", serializePage(document));
  await files.save(SEARCH_INDEX, searchIndexOf(newestFirst));
  await files.save(SEARCH_SCRIPT, await bundleScript("scripts/static/browser/search.ts"));
}
