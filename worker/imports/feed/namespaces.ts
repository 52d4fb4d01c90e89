import type { Node } from "#worker/imports/feed/node.ts";

/** The namespaces that are read, by the prefix that the readers here know them by. RSS itself has none. */
const prefixes: Record<string, string> = {
  "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
  "podcastindex.org/namespace/1.0": "podcast",
  "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
  "www.google.com/schemas/play-podcasts/1.0": "googleplay",
  "podlove.org/simple-chapters": "psc",
  "search.yahoo.com/mrss": "media",
  "purl.org/rss/1.0/modules/content": "content",
  "purl.org/dc/elements/1.1": "dc",
  "purl.org/dc/terms": "dcterms",
  "purl.oclc.org/net/rss_2.0/enc#": "enc",
  "www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "www.w3.org/2005/atom": "atom",
  "purl.org/atom/ns#": "atom",
  "purl.org/rss/1.0": "",
  "my.netscape.com/rdf/simple/0.9": "",
  "channel.netscape.com/rdf/simple/0.9": "",
  "backend.userland.com/rss2": "",
  "blogs.law.harvard.edu/tech/rss": "",
};

/** Feeds write the addresses of namespaces in many ways, of which those who read them see none. */
function prefixOf(address: string) {
  const bare = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  return Object.hasOwn(prefixes, bare) ? prefixes[bare] : undefined;
}

type Scope = ReadonlyMap<string, string>;

/** The document with its elements and attributes by the usual prefixes, whatever prefixes it declares for them. */
export function withNamedPrefixes(root: Node): Node {
  // Some forget the namespace of an Atom feed, which has no other elements of these names.
  renameIn(root, new Map(Object.hasOwn(root, "feed") ? [["", "atom"]] : []));
  return root;
}

/** As deep as the parser allows: a hundred levels. */
function renameIn(node: Node, scope: Scope) {
  for (const [name, value] of Object.entries(node)) {
    if (name === "#text") continue;
    if (name.startsWith("@_")) {
      const [prefix = "", local] = name.slice(2).split(":", 2);
      const usual = local === undefined ? undefined : scope.get(prefix);
      if (usual) rename(node, name, `@_${usual}:${local}`, value);
      continue;
    }
    const children = Array.isArray(value) ? (value as unknown[]) : [value];
    const named = children.map((child) => {
      const inner = scopeOf(child, scope);
      if (isNode(child)) renameIn(child, inner);
      return nameIn(name, inner);
    });
    if (named.every((each) => each === name)) continue;
    delete node[name];
    for (const [at, child] of children.entries()) add(node, named[at]!, child);
  }
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** With what an element declares itself. */
function scopeOf(node: unknown, scope: Scope): Scope {
  if (!isNode(node)) return scope;
  const declared = Object.keys(node).filter((name) => /^@_xmlns(?::|$)/.test(name));
  if (declared.length === 0) return scope;
  const inner = new Map(scope);
  for (const name of declared) {
    const usual = prefixOf(String(node[name]));
    const prefix = name.slice("@_xmlns:".length);
    if (usual === undefined) inner.delete(prefix);
    else inner.set(prefix, usual);
  }
  return inner;
}

function nameIn(name: string, scope: Scope) {
  const [first = "", second] = name.split(":", 2);
  const [prefix, local] = second === undefined ? ["", first] : [first, second];
  const usual = scope.get(prefix);
  const renamed = usual === undefined ? name : usual === "" ? local : `${usual}:${local}`;
  // The parser refuses names of JavaScript's own properties.
  return renamed in Object.prototype ? name : renamed;
}

function rename(node: Node, from: string, to: string, value: unknown) {
  if (from === to) return;
  delete node[from];
  node[to] ??= value;
}

function add(node: Node, name: string, child: unknown) {
  const before = node[name];
  if (before === undefined) node[name] = child;
  else if (Array.isArray(before)) before.push(child);
  else node[name] = [before, child];
}
