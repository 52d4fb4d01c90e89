import type { FeedEpisode, FurtherFile } from "#worker/imports/feed/contract.ts";
import { attributeOf, childrenOf, type Node } from "#worker/imports/feed/node.ts";
import { isYes, lineOf, linkOf } from "#worker/imports/feed/values.ts";

/** What a file is, as far as its type and its address say. */
type Kind = "audio" | "video" | "picture" | "document" | "unknown";

/** The kind of a file by the extension of its address, and its type for apps. */
const endings: Record<string, [Kind, string]> = {
  mp3: ["audio", "audio/mpeg"],
  m4a: ["audio", "audio/x-m4a"],
  m4b: ["audio", "audio/mp4"],
  aac: ["audio", "audio/aac"],
  ogg: ["audio", "audio/ogg"],
  oga: ["audio", "audio/ogg"],
  opus: ["audio", "audio/opus"],
  flac: ["audio", "audio/flac"],
  wav: ["audio", "audio/wav"],
  mp4: ["video", "video/mp4"],
  m4v: ["video", "video/x-m4v"],
  mov: ["video", "video/quicktime"],
  webm: ["video", "video/webm"],
  jpg: ["picture", "image/jpeg"],
  jpeg: ["picture", "image/jpeg"],
  png: ["picture", "image/png"],
  gif: ["picture", "image/gif"],
  webp: ["picture", "image/webp"],
  avif: ["picture", "image/avif"],
  svg: ["picture", "image/svg+xml"],
  pdf: ["document", "application/pdf"],
  epub: ["document", "application/epub+zip"],
  txt: ["document", "text/plain"],
  zip: ["document", "application/zip"],
};

/** What hosts call the types that apps play. */
const aliases: Record<string, string> = {
  "audio/mp3": "audio/mpeg",
  "audio/mpeg3": "audio/mpeg",
  "audio/x-mp3": "audio/mpeg",
  "audio/x-mpeg": "audio/mpeg",
  "audio/x-mpeg-3": "audio/mpeg",
  "audio/mpg": "audio/mpeg",
  "audio/m4a": "audio/x-m4a",
  "audio/mp4a-latm": "audio/x-m4a",
  "audio/x-aac": "audio/aac",
};

/** What most apps play first. */
const PREFERRED = ["audio/mpeg", "audio/x-m4a", "audio/mp4", "audio/aac"];

type Enclosure = { url: string; type: string; size: number; kind: Kind };

export type Enclosures = Pick<FeedEpisode, "audio" | "audioProblem"> & { audioFiles: number };

/** The audio of an item: by type, else by its address; if neither is known, the bytes decide during the download. */
export function enclosuresOf(item: Node, base: string): Enclosures {
  const nodes = [
    ...childrenOf(item, "enclosure"),
    ...childrenOf(item, "enc:enclosure"),
    ...childrenOf(item, "media:content"),
    ...childrenOf(item, "media:group").flatMap((group) => childrenOf(group, "media:content")),
  ];
  const all = nodes.map((node) => enclosureOf(node, base));
  const audible = all.filter(({ url, kind }) => url !== "" && (kind === "audio" || kind === "unknown"));
  const [audio] = audible.toSorted((a, b) => rankOf(a) - rankOf(b));
  const audioFiles = new Set(audible.map(({ url }) => url)).size;
  if (audio) {
    const { kind: _kind, ...rest } = audio;
    return { audio: rest, audioProblem: null, audioFiles };
  }
  return { audio: null, audioProblem: problemOf(all), audioFiles: 0 };
}

const MOST_FURTHER_FILES = 10;
const MAX_FILE_TITLE = 32;
/** HTTP Live Streaming: a list of a stream's pieces, and no file. */
const STREAM = /mpegurl$/;

/** What podcast:alternateEnclosure adds to the audio of an item, as far as it is a file on the web. */
export function furtherFilesOf(item: Node, { base, audio }: { base: string; audio: FeedEpisode["audio"] }) {
  const found = childrenOf(item, "podcast:alternateEnclosure").flatMap((node): FurtherFile[] => {
    const given = attributeOf(node, "type").toLowerCase();
    const size = sizeOf(attributeOf(node, "length"));
    const title = lineOf(attributeOf(node, "title"), MAX_FILE_TITLE);
    for (const source of childrenOf(node, "podcast:source")) {
      const url = linkOf(attributeOf(source, "uri"), base);
      const { type, kind } = typeOf(attributeOf(source, "contentType").toLowerCase() || given, url, "");
      if (url !== "" && (kind === "audio" || kind === "video") && !STREAM.test(type))
        return [{ url, title, type, size }];
    }
    return [];
  });
  const distinct = new Map(found.map((file) => [file.url, file]));
  distinct.delete(audio?.url ?? "");
  return [...distinct.values()].slice(0, MOST_FURTHER_FILES);
}

/** Whether an item has further files that are none on the web, or too many. */
export const losesFurtherFiles = (item: Node, kept: number) =>
  childrenOf(item, "podcast:alternateEnclosure").filter((node) => !isYes(attributeOf(node, "default")))
    .length > kept;

function enclosureOf(node: Node, base: string): Enclosure {
  const attribute = (...names: string[]) => names.map((name) => attributeOf(node, name)).find(Boolean) ?? "";
  const url = linkOf(attribute("url", "href", "rdf:resource", "enc:url"), base);
  const given = attribute("type", "enc:type").toLowerCase().split(";")[0]!.trim();
  const medium = attribute("medium").toLowerCase();
  const size = sizeOf(attribute("length", "enc:length", "fileSize"));
  return { url, ...typeOf(given, url, medium), size };
}

/** Bytes. A feed may state any number, and sums of these are stored. */
const LARGEST = 1e12;
const sizeOf = (stated: string) => Math.min(LARGEST, Math.max(0, Math.trunc(Number(stated)))) || 0;

function typeOf(given: string, url: string, medium: string): Pick<Enclosure, "type" | "kind"> {
  const ending = /\.([a-z\d]{2,4})$/.exec(URL.parse(url)?.pathname.toLowerCase() ?? "")?.[1] ?? "";
  const byEnding = Object.hasOwn(endings, ending) ? endings[ending]! : null;
  const type = Object.hasOwn(aliases, given) ? aliases[given]! : given;
  if (type.startsWith("audio/")) return { type, kind: "audio" };
  // Hosts that do not know a file by its type call it anything.
  if (byEnding?.[0] === "audio") return { type: byEnding[1], kind: "audio" };
  const kind = kindOf(type) ?? mediumOf(medium);
  if (kind) return { type, kind };
  return byEnding ? { type: byEnding[1], kind: byEnding[0] } : { type, kind: "unknown" };
}

function kindOf(type: string): Kind | null {
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("image/")) return "picture";
  return /^application\/(?:pdf|epub|zip|x-bittorrent)/.test(type) ? "document" : null;
}

function mediumOf(medium: string): Kind | null {
  if (medium === "audio" || medium === "video") return medium;
  return medium === "image" ? "picture" : medium === "document" ? "document" : null;
}

/** In the order of the feed if they are equivalent for apps. */
function rankOf({ type, kind }: Enclosure) {
  const rank = PREFERRED.indexOf(type);
  return rank >= 0 ? rank : PREFERRED.length + (kind === "audio" ? 0 : 1);
}

function problemOf(all: Enclosure[]) {
  const [first] = all.toSorted((a, b) => Number(b.kind === "video") - Number(a.kind === "video"));
  if (!first) return "It has no audio, so apps don’t show it.";
  if (first.url === "") return "The address of its audio isn’t valid, so apps can’t play it.";
  const named = first.type === "" ? "" : ` (${first.type})`;
  if (first.kind === "picture") return `It has no audio, only a picture${named}.`;
  return `It isn’t audio${named}.`;
}
