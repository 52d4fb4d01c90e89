import { encodingOf, textOf } from "../file-text.ts";
import { BadFile, type Zip } from "../zip.ts";
import { recordsOf } from "../subscribers/records.ts";
import { EPISODE, PARTS_CLOSED, timeOf, type Read, type Source } from "./export.ts";

/** Bytes, unpacked. */
const MOST_LIST = 100_000_000;
const MOST_POST = 20_000_000;

const isPosts = (name: string) => /(?:^|\/)posts\.csv$/i.test(name);
const isSubscribers = (name: string) => /(?:^|\/)(?:email_list|subscribers?)[^/]*\.csv$/i.test(name);

export const isSubstack = ({ names }: Zip) => names.some(isPosts);

type Column =
  | "post_id"
  | "post_date"
  | "is_published"
  | "type"
  | "audience"
  | "title"
  | "subtitle"
  | "podcast_url";
type Row = Partial<Record<Column, string>>;

/**
 * The zip that Substack exports (Settings, Exports): posts.csv, posts/ID.slug.html, and the list of subscribers.
 * @throws {BadFile}
 */
export async function openSubstack(zip: Zip, fileName: string): Promise<Source> {
  const list = zip.names.find(isPosts)!;
  const folder = list.slice(0, -"posts.csv".length);
  const rows = await rowsOf(await zip.unpack(list, MOST_LIST));
  const lists = await Promise.all(zip.names.filter(isSubscribers).map((name) => fileOf(zip, name)));
  return {
    place: "substack",
    fileName,
    siteUrl: () => null,
    needsSite: false,
    lists,
    remarks: () => [],
    close: () => zip.close(),
    async *read(onProgress) {
      for (const [index, row] of rows.entries()) {
        onProgress(index / rows.length);
        yield await readPost(zip, folder, row);
      }
    },
  };
}

const fileOf = async (zip: Zip, name: string) =>
  new File([await zip.unpack(name, MOST_LIST)], name.split("/").at(-1)!, { type: "text/csv" });

/** The lines of posts.csv by their columns; of one whose quotation marks do not fit, its beginning. */
async function rowsOf(file: Blob) {
  const rows: (Row | { broken: string })[] = [];
  let columns: string[] | null = null;
  for await (const { records } of recordsOf(textOf(file, await encodingOf(file)), ",")) {
    for (const record of records) {
      if ("broken" in record) rows.push(record);
      else if (columns === null) columns = record.cells.map((name) => name.trim().toLowerCase());
      else rows.push(Object.fromEntries(columns.map((name, at) => [name, record.cells[at] ?? ""])) as Row);
    }
  }
  if (!columns?.includes("post_id") || !columns.includes("title"))
    throw new BadFile("The posts.csv in this zip doesn’t have Substack’s columns.");
  return rows;
}

async function readPost(zip: Zip, folder: string, row: Row | { broken: string }): Promise<Read> {
  if ("broken" in row)
    return { leftOut: { title: row.broken, why: "Its line in posts.csv has an unmatched quotation mark" } };
  const { post_id: id = "", title = "", subtitle = "" } = row;
  const name = `${folder}posts/${id}.html`;
  if (!/^\d+/.test(id))
    return { leftOut: { title: title || id, why: "Its line in posts.csv couldn’t be read" } };
  const [, number, slug = ""] = /^(\d+)(?:\.(.*))?$/.exec(id) ?? [];
  const address = slug === "" ? null : `/p/${slug}`;
  const file = zip.names.includes(name) ? name : zip.names.find((each) => isTextOf(each, number!, folder));
  if (!file) return { leftOut: { title: title || id, why: "The zip has no text for it" } };
  const html = await (await zip.unpack(file, MOST_POST)).text();
  return {
    post: {
      key: `substack ${number}`,
      kind: row.type?.trim() === "page" ? "page" : "post",
      title,
      slug,
      ...stateOf(row, html),
      excerpt: subtitle,
      text: { html },
      tags: [],
      categories: [],
      image: null,
      metaTitle: "",
      metaDescription: "",
      sourceUrl: null,
      authors: [],
      guid: address,
      addresses: address === null ? [] : [address],
      ...(isEpisode(row) && { audio: { url: row.podcast_url!.trim(), feed: null } }),
    },
  };
}

const isTextOf = (name: string, number: string, folder: string) =>
  name.startsWith(`${folder}posts/${number}.`) && name.endsWith(".html");

/** A letter that was read aloud has a recording, too. */
const isEpisode = ({ podcast_url = "", type = "" }: Row) =>
  podcast_url.trim() !== "" && type.trim() === "podcast";

/** What only some subscribers could read is for the owner to publish. */
function stateOf(row: Row, html: string) {
  const { post_date = "", is_published = "", audience = "everyone", podcast_url = "" } = row;
  const at = timeOf(post_date.trim());
  const notes = isEpisode(row)
    ? [EPISODE]
    : podcast_url.trim() === ""
      ? []
      : ["Its recording stays at Substack."];
  if (is_published.trim().toLowerCase() !== "true") return { status: "draft" as const, at: null, notes };
  if (!/^(everyone|)$/.test(audience.trim()))
    return {
      status: "draft" as const,
      at,
      notes: [...notes, "It wasn’t public, so it’s imported as a draft."],
    };
  if (/\bclass="[^"]*\bpaywall-jump\b/.test(html))
    return { status: "draft" as const, at, notes: [...notes, PARTS_CLOSED] };
  return { status: "published" as const, at, notes };
}
