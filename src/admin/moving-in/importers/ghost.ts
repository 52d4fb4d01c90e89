import { wholeTextOf, zeroRemarks } from "../file-text.ts";
import { BadFile } from "../zip.ts";
import {
  breathe,
  PARTS_CLOSED,
  timeOf,
  type ForeignPost,
  type ForeignText,
  type Read,
  type Source,
} from "./export.ts";

/** Bytes. It is one JSON text, which is read as a whole. */
const MOST = 300_000_000;
/** How Ghost writes its own address, which its export does not say. */
export const GHOST_URL = "__GHOST_URL__";
/** Before Ghost 4 its files had paths alone. */
const OWN_FILES = /(?:"|\()\/content\/(?:images|media|files)\//;
/** Posts between two pauses. */
const AT_ONCE = 50;

type Row = Record<string, unknown>;

/**
 * An export of Ghost's (Settings, Import/Export): its tables as JSON, wrapped in `db` or not.
 * @throws {BadFile}
 */
export async function openGhost(file: Blob, fileName: string): Promise<Source> {
  if (file.size > MOST) throw new BadFile("This export is larger than 300 MB, the most that can be read.");
  const { text, zeros } = await wholeTextOf(file);
  const data = tablesOf(text);
  const posts = tableOf(data, "posts");
  const about = {
    meta: byPost(tableOf(data, "posts_meta")),
    tags: namesOf(data, "posts_tags", "tag_id", "tags"),
    authors: namesOf(data, "posts_authors", "author_id", "users"),
    users: new Map(tableOf(data, "users").map((row) => [String(row["id"]), textOf(row["name"])])),
  };
  return {
    place: "ghost",
    fileName,
    siteUrl: () => null,
    needsSite: text.includes(GHOST_URL) || OWN_FILES.test(text),
    lists: [],
    remarks: () => zeroRemarks(zeros),
    close: async () => {},
    async *read(onProgress) {
      for (const [index, row] of posts.entries()) {
        if (index % AT_ONCE === 0) await breathe();
        onProgress(index / posts.length);
        yield readPost(row, about);
      }
    },
  };
}

function tablesOf(text: string): Row {
  const json = parse(text);
  const inner = isRow(json) && Array.isArray(json["db"]) ? (json["db"] as unknown[])[0] : json;
  const data = isRow(inner) ? inner["data"] : null;
  if (!isRow(data) || !Array.isArray(data["posts"]))
    throw new BadFile("This JSON isn’t a Ghost export: it has no posts.");
  return data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadFile("This JSON can’t be read. Choose the file exactly as it was exported.");
  }
}

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const tableOf = (data: Row, name: string) => {
  const rows = data[name];
  return Array.isArray(rows) ? rows.filter(isRow) : [];
};
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const byPost = (rows: Row[]) => new Map(rows.map((row) => [String(row["post_id"]), row]));

/** By post, the names of its tags or authors in their order. */
function namesOf(data: Row, links: string, key: string, table: string) {
  const rows = new Map(tableOf(data, table).map((row) => [String(row["id"]), row]));
  const sorted = tableOf(data, links).toSorted(
    (a, b) => Number(a["sort_order"] ?? 0) - Number(b["sort_order"] ?? 0),
  );
  const names = new Map<string, string[]>();
  for (const link of sorted) {
    const row = rows.get(String(link[key]));
    const name = textOf(row?.["name"]);
    // Ghost's internal tags begin with #.
    if (!row || name === "" || name.startsWith("#") || row["visibility"] === "internal") continue;
    const post = String(link["post_id"]);
    names.set(post, [...(names.get(post) ?? []), name]);
  }
  return names;
}

type About = {
  meta: Map<string, Row>;
  tags: Map<string, string[]>;
  authors: Map<string, string[]>;
  users: Map<string, string>;
};

function readPost(row: Row, about: About): Read {
  const id = String(row["id"]);
  const title = textOf(row["title"]);
  const text = foreignTextOf(row);
  if (text === null)
    return {
      leftOut: {
        title,
        why: "Its text is only in Ghost’s editor format: open and save it in Ghost, then export again",
      },
    };
  const meta = about.meta.get(id) ?? {};
  const either = (name: string) => textOf(row[name]) || textOf(meta[name]);
  const tags = about.tags.get(id) ?? [];
  const author = about.users.get(String(row["author_id"]));
  const picture = textOf(row["feature_image"]) || textOf(row["image"]);
  return {
    post: {
      key: `ghost ${textOf(row["uuid"]) || id}`,
      kind: row["type"] === "page" || row["page"] === 1 || row["page"] === true ? "page" : "post",
      title,
      slug: textOf(row["slug"]),
      ...stateOf(row, meta),
      excerpt: textOf(row["custom_excerpt"]),
      text,
      tags,
      categories: tags.slice(0, 1),
      image:
        picture === ""
          ? null
          : {
              url: picture,
              alt: either("feature_image_alt"),
              caption: either("feature_image_caption"),
            },
      metaTitle: either("meta_title"),
      metaDescription: either("meta_description"),
      sourceUrl: canonicalOf(row),
      authors: about.authors.get(id) ?? (author ? [author] : []),
      guid: IS_OBJECT_ID.test(id) ? id : textOf(row["uuid"]),
      addresses: textOf(row["slug"]) === "" ? [] : [`/${textOf(row["slug"])}/`],
    },
  };
}

/** From Ghost 1.0 on; before that ids were numbers, and its feed had the uuid. */
const IS_OBJECT_ID = /^[\da-f]{24}$/;

/** Null for its own address. */
function canonicalOf(row: Row) {
  const address = textOf(row["canonical_url"]);
  return address === "" || address.startsWith(GHOST_URL) ? null : address;
}

/** Null if there is a text that only Ghost can read. */
function foreignTextOf(row: Row): ForeignText | null {
  const markdown = textOf(row["markdown"]);
  const html = htmlOf(row);
  if (html === "" && markdown !== "") return { markdown, isForeign: true };
  return html === null ? null : { html };
}

function htmlOf(row: Row) {
  const html = textOf(row["html"]);
  if (html !== "") return html;
  const plain = textOf(row["plaintext"]);
  if (plain !== "")
    return plain
      .split(/\n{2,}/)
      .map((part) => `<p>${escaped(part)}</p>`)
      .join("\n");
  return textOf(row["mobiledoc"]) === "" && textOf(row["lexical"]) === "" ? "" : null;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** What only members could read, and what went out by email alone, is for the owner to publish. */
function stateOf(row: Row, meta: Row): Pick<ForeignPost, "status" | "at" | "notes"> {
  const at = timeOf(row["published_at"]);
  const status = textOf(row["status"]);
  const visibility = textOf(row["visibility"]) || "public";
  const notes = [...(isOn(row["featured"]) ? ["It was featured, which isn’t kept."] : []), ...codeOf(row)];
  if (status === "sent" || isOn(row["email_only"]) || isOn(meta["email_only"]))
    return {
      status: "draft",
      at: status === "draft" ? null : at,
      notes: [
        status === "sent" || status === "published"
          ? "It was sent only as an email, so it’s imported as a draft."
          : "It was to be sent only as an email, so it’s imported as a draft.",
        ...notes,
      ],
    };
  if (status === "draft") return { status, at: null, notes };
  if (status !== "published" && status !== "scheduled")
    return {
      status: "draft",
      at,
      notes: [`Its status was “${status.slice(0, 40)}”, so it’s imported as a draft.`, ...notes],
    };
  if (visibility !== "public")
    return {
      status: "draft",
      at,
      notes: ["It was for members only, so it’s imported as a draft.", ...notes],
    };
  if (CLOSED_PART.test(textOf(row["html"]))) return { status: "draft", at, notes: [PARTS_CLOSED, ...notes] };
  return { status, at, notes };
}

/** Of a public post, cards that only members see. */
const CLOSED_PART = /<!--\s*kg-gated-block:begin[^>]*\bnonMember:["']?false/;

/** Ghost's SQLite tables have 0 and 1. */
const isOn = (value: unknown) => value === true || value === 1 || value === "1";

/** Code that Ghost puts into the head or the foot of a page. */
const codeOf = (row: Row) =>
  ["codeinjection_head", "codeinjection_foot"].some((name) => textOf(row[name]).trim() !== "")
    ? ["Its injected code is left out."]
    : [];
