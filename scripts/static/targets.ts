import {
  documents,
  matcherOf,
  pages,
  queryOf,
  type Address,
  type Document,
  type PagePath,
} from "#worker/addresses.ts";

/** The addresses of a site before and after it became files: origins without a trailing slash. */
export type Move = {
  from: string;
  address: string;
  /** Whether recordings are among the files; otherwise they stay at the old address. */
  hasAudio: boolean;
  /** The paths that redirect, and where to: links among the files lead there. */
  redirects: ReadonlyMap<string, string>;
};

/** Where an address of the site leads among the files. */
export type Target = {
  /** The path and query that the running site answers. */
  source: string;
  /** The file's path, with a leading slash. */
  file: string;
  /** The address in links. */
  href: string;
};

/** An address of this site that has no file: what needs a server. */
export const GONE = "gone";
/** An address that is unchanged: of another site, or one that is not in the table, such as a former slug. */
export const OTHER = "other";

/** Parameters that only a form reads, and those of the page that WordPress would show. */
const FORM_PARAMETERS = new Set(["reply", "requested", "type", "p", "page_id"]);
/** The second at which a recording starts, which stays a parameter: `browser/timestamps.ts` reads it. */
const START = "t";

const findPage = matcherOf<(typeof pages)[PagePath]>(pages);
const findDocument = matcherOf<Document>(documents);

const RECORDINGS = "/media/podcast-audio/";
const SOUND = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|aiff?|3gp)$/;
export const isRecording = (path: string) =>
  path.startsWith(RECORDINGS) || (path.startsWith("/media/") && SOUND.test(path));

const NEEDS_A_SERVER = /^\/(?:account|admin|api|l)(?:\/|$)/i;
const STATIC_FILE = /^\/(?:assets|media)\/|^\/[\w-]+\.(?:css|svg|png|ico)$/;

/** Finds the target of an address of the site; `from` and relative ones are this site's. */
export function targetOf(url: URL, { from, hasAudio, redirects }: Move): Target | typeof GONE | typeof OTHER {
  if (url.origin !== new URL(from).origin) return OTHER;
  const asked = url.pathname.replace(/(.)\/+$/, "$1");
  const led = redirects.get(asked + url.search) ?? redirects.get(asked);
  const path = (led ?? asked).replace(/(.)\/+$/, "$1");
  if (isRecording(path) && !hasAudio) {
    return { source: path, file: "", href: from + path + url.search + url.hash };
  }
  if (STATIC_FILE.test(path)) return fileAt(path, url.hash);
  if (path.startsWith("/share/")) {
    return { source: path + url.search, file: `${path}.jpg`, href: `${path}.jpg` };
  }
  if (NEEDS_A_SERVER.test(path)) return GONE;
  const document = findDocument(path);
  if (document) return documentAt(path, document, url);
  const page = findPage(path);
  if (!page) return OTHER;
  if (page.isPersonal) return GONE;
  // Its parameters are read in the browser.
  if (page.isEndless) {
    return { source: path, file: indexOf(path), href: folderOf(path) + url.search + url.hash };
  }
  return pageAt(path, page, url);
}

const fileAt = (path: string, hash = ""): Target => ({ source: path, file: path, href: path + hash });

/** Embedded players are pages; the pages of a feed are files with the number in their names. */
function documentAt(path: string, document: Document, url: URL): Target | typeof GONE {
  if (document.isEndless) return GONE;
  if (path.startsWith("/embed/")) return pageAt(path, document, url);
  const query = queryOf(document, url.searchParams);
  const file = path.replace(/(?=\.\w+$)/, nameOf(document.parameters, url.searchParams));
  return { source: path + query, file, href: file };
}

function pageAt(path: string, { parameters }: Address, url: URL): Target {
  const listed = parameters.filter((name) => name !== START && !FORM_PARAMETERS.has(name));
  const query = queryOf({ parameters: listed }, url.searchParams);
  const names = nameOf(listed, url.searchParams).slice(1);
  const folder = names ? `${path === "/" ? "" : path}/${names}` : path;
  const start = parameters.includes(START) ? queryOf({ parameters: [START] }, url.searchParams) : "";
  return { source: path + query, file: indexOf(folder), href: folderOf(folder) + start + url.hash };
}

const folderOf = (path: string) => (path === "/" ? path : `${path}/`);
const indexOf = (path: string) => `${folderOf(path)}index.html`;

/** The parameters as part of a file's name, such as `-before-1795944347828-5`. */
const nameOf = (parameters: readonly string[], given: URLSearchParams) =>
  parameters
    .flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [`-${name}-${value.replace(/[^\w-]/g, codeOf)}`];
    })
    .join("");

const codeOf = (character: string) => `_${character.codePointAt(0)!.toString(16)}_`;
