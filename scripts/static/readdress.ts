import { SaxesParser } from "saxes";
import { isRecording, type Move } from "./targets.ts";

/**
 * Replaces the site's old address in a text by the new one, as an address and within another one (`?url=https%3A%2F%2F…`).
 * Recordings that are not among the files keep theirs.
 */
export function readdress(text: string, { from, address, hasAudio }: Omit<Move, "redirects">) {
  if (from === address) return text;
  return FORMS.reduce((read, { encode, decode, rest }) => {
    // Not the beginning of a longer host.
    const pattern = new RegExp(`${RegExp.escape(encode(from))}(?![\\w-]|[.:]\\w)(${rest})`, "g");
    return read.replace(pattern, (found, path: string) =>
      !hasAudio && isRecording(decode(path)) ? found : encode(address) + path,
    );
  }, text);
}

const same = (text: string) => text;
/** How an address is written in a text, and the expression for the path that may follow. */
const FORMS = [
  { encode: same, decode: same, rest: `(?:/[^\\s"'<>?#&\\\\]*)?` },
  { encode: encodeURIComponent, decode: decodeURIComponent, rest: `(?:%2F(?:[\\w.-]|%2F)*)?` },
];

/**
 * The same for a feed, except for its GUIDs: apps know episodes by them. The op3.dev prefix has the host without `https://`.
 */
export function readdressFeed(xml: string, move: Omit<Move, "redirects">) {
  const parts: string[] = [];
  let end = 0;
  for (const [start, stop] of guidsOf(xml)) {
    parts.push(outside(xml.slice(end, start), move), xml.slice(start, stop));
    end = stop;
  }
  return parts.join("") + outside(xml.slice(end), move);
}

function outside(xml: string, move: Omit<Move, "redirects">) {
  const moved = readdress(xml, move);
  if (!move.hasAudio || !move.from.startsWith("https://")) return moved;
  const media = ({ host }: URL) => `/${host}/media/`;
  return moved.replaceAll(
    new RegExp(`(?<=https://op3\\.dev/e[^/"]*)${RegExp.escape(media(new URL(move.from)))}`, "g"),
    () => media(new URL(move.address)),
  );
}

/** Where the texts of GUIDs begin and end, in UTF-16 units. */
function guidsOf(xml: string) {
  const ranges: [start: number, end: number][] = [];
  const parser = new SaxesParser({ position: true });
  let start = 0;
  parser.on("opentag", ({ name }) => {
    if (name === "guid") start = parser.position;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "guid") ranges.push([start, parser.position]);
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return ranges;
}

/** All addresses of the site in a text of any format: attributes, JSON and the HTML within a feed. */
export function addressesIn(text: string, from: string) {
  const pattern = new RegExp(`${RegExp.escape(from)}(?:/[^\\s"'<>\\\\,)\\]]*)?`, "g");
  return [...text.matchAll(pattern)].flatMap(
    ([found]) => URL.parse(found.replaceAll("&amp;", "&"))?.href ?? [],
  );
}
