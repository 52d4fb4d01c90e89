import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "parse5";
import { decoded } from "#worker/platform/text/decoded.ts";
import { addressesIn } from "./readdress.ts";
import { attribute, elementsIn } from "./page.ts";

export type DeadLink = { file: string; link: string };

type Options = {
  /** The site's address, without a trailing slash. */
  address: string;
};

const REDIRECTS = "_redirects";
const ADDRESSES = ["href", "src", "action", "poster"];

/** What a file links to, and the ids that links to it can name. */
type Checked = { links: string[]; ids: Set<string> };

/**
 * Checks that each address of the site in its pages, style sheets, feeds and redirects has a file, or a line in
 * `_redirects`, and that each fragment is an id of its page.
 */
export function checkLinks(folder: string, { address }: Options): DeadLink[] {
  const redirects = redirectsIn(folder);
  const files = new Map<string, Checked>([
    [REDIRECTS, { links: [...redirects.values()], ids: new Set() }],
    ...filesIn(folder).map((file): [string, Checked] => [file, readLinks(folder, file, address)]),
  ]);
  const isAlive = ({ pathname, hash }: URL) => {
    if (redirects.has(pathname)) return true;
    const file = fileAt(folder, decoded(pathname));
    if (file === null) return false;
    const { ids } = files.get(file) ?? {};
    return !ids || !file.endsWith(".html") || ANYWHERE.has(hash) || ids.has(decoded(hash.slice(1)));
  };
  return [...files].flatMap(([file, { links }]) =>
    links.flatMap((link) => {
      const url = URL.parse(link, new URL(file, `${address}/`));
      const isOwn = url?.origin === address;
      return isOwn && !isAlive(url) ? [{ file, link }] : [];
    }),
  );
}

/** Fragments that every page has. */
const ANYWHERE = new Set(["", "#top"]);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(?:html|xml|css|json)$/.test(name) && !name.startsWith("search/index.json"));

function readLinks(folder: string, file: string, address: string): Checked {
  const text = readFileSync(join(folder, file), "utf8");
  const checked: Checked = { links: [], ids: new Set() };
  if (file.endsWith(".css")) checked.links = stylesheetLinks(text);
  else if (!file.endsWith(".html")) checked.links = addressesIn(text, address);
  else {
    for (const each of elementsIn(parse(text, { scriptingEnabled: false }))) {
      const lists = (attribute(each, "srcset") ?? "").split(", ").map((part) => part.split(" ")[0] ?? "");
      const named = ADDRESSES.map((name) => attribute(each, name) ?? "");
      const content = attribute(each, "content") ?? "";
      const all = [...named, ...lists, content.startsWith(address) ? content : ""];
      checked.links.push(...all.filter((link) => link !== ""));
      checked.ids.add(attribute(each, "id") ?? "");
    }
  }
  return checked;
}

/** The addresses in a style sheet of the build, which is minified. */
export const stylesheetLinks = (text: string) =>
  [...text.matchAll(/url\((?!["']?data:)["']?([^"')]+)["']?\)/g)].map(([, link]) => link!);

/** The addresses in `_redirects`, and where they lead. */
function redirectsIn(folder: string) {
  const file = join(folder, REDIRECTS);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return new Map(
    lines.filter((line) => line !== "").map((line) => line.split(" ").slice(0, 2) as [string, string]),
  );
}

/** The name of the file that a host serves at a path; null if there is none. */
function fileAt(folder: string, path: string) {
  const name = path.slice(1);
  for (const file of [name, join(name, "index.html")]) {
    if (file !== "" && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()) return file;
  }
  return null;
}
