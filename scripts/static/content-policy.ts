import { attribute, createElement, elementsIn, find, type Document } from "./page.ts";
import type { Move } from "./targets.ts";

/**
 * The content policy of a page, in the page, since not every host sends the headers of `_headers`. An embedded player's is
 * `sent`, which allows its script and style by their hashes.
 */
export function addContentPolicy(document: Document, sent: string | null, move: Move) {
  const head = find(document, ({ tagName }) => tagName === "head")!;
  const policy = sent === null ? pagePolicy(document, move) : embedPolicy(sent, move);
  const meta = createElement(head, "meta", [
    { name: "http-equiv", value: "Content-Security-Policy" },
    { name: "content", value: policy },
  ]);
  head.childNodes.splice(1, 0, meta);
}

const soundOf = ({ from, hasAudio }: Move) => `media-src 'self'${hasAudio ? "" : ` ${from}`}`;

function pagePolicy(document: Document, move: Move) {
  const hosts = new Set<string>();
  for (const each of elementsIn(document)) {
    const origin = each.tagName === "iframe" && URL.parse(attribute(each, "src") ?? "")?.origin;
    if (origin) hosts.add(origin);
  }
  return [
    "default-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    soundOf(move),
    `frame-src ${[...hosts].join(" ") || "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

/** A policy in a page has no frame-ancestors. */
const embedPolicy = (sent: string, move: Move) =>
  sent
    .split("; ")
    .filter((directive) => !directive.startsWith("frame-ancestors"))
    .map((directive) => (directive.startsWith("media-src") ? soundOf(move) : directive))
    .join("; ");
