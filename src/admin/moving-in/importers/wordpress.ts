import { counted } from "#site/ui/format.ts";
import { apart, EPISODE, timeOf, type ForeignPost, type Read, type Source } from "./export.ts";
import { audioOf, withoutPlayers } from "./wordpress-audio.ts";
import { decoded } from "./addresses.ts";
import { listed } from "./losses.ts";
import { closedBy } from "./wordpress-access.ts";
import { fromClassic, type Library } from "./shortcodes.ts";
import { itemsOf, type Wxr, type WxrItem } from "./wxr.ts";
import { faultRemarks, withoutFaults } from "./xml-entries.ts";

type Attachment = { url: string; alt: string; caption: string; post: string };

/** What posts show, by its id. Which of it they show is known once all of the export was read. */
type Shown = { attachments: Map<string, Attachment>; patterns: Map<string, string>; isComplete: boolean };

/** An export of WordPress (Tools, Export), which WordPress.com gives in several files. */
export async function openWordPress(files: Blob[], fileName: string): Promise<Source> {
  const wxr: Wxr = { channel: new Map(), authors: new Map(), ...withoutFaults() };
  const shown: Shown = { attachments: new Map(), patterns: new Map(), isComplete: false };
  let comments = 0;
  const size = files.reduce((sum, file) => sum + file.size, 0) || 1;
  return {
    place: "wordpress",
    fileName,
    siteUrl: () => siteOf(wxr),
    needsSite: false,
    lists: [],
    close: async () => {},
    remarks: () => [
      ...faultRemarks(wxr),
      ...(comments > 0
        ? [
            comments === 1
              ? "A comment isn’t imported."
              : `${comments.toLocaleString("en")} comments aren’t imported.`,
          ]
        : []),
    ],
    async *read(onProgress) {
      Object.assign(wxr, withoutFaults());
      comments = 0;
      let before = 0;
      for (const file of files) {
        const start = before;
        for await (const item of itemsOf(file, wxr, (part) =>
          onProgress((start + part * file.size) / size),
        )) {
          comments += item.comments;
          const read = readItem(item, wxr, shown);
          if (read) yield read;
        }
        before += file.size;
      }
      shown.isComplete = true;
    },
  };
}

/** Null for items that are not content, such as menu entries. */
function readItem(item: WxrItem, wxr: Wxr, shown: Shown): Read | null {
  const field = (name: string) => item.fields.get(name)?.trim() ?? "";
  const title = field("title");
  const type = field("wp:post_type");
  const status = field("wp:status");
  if (type === "attachment") {
    const url = field("wp:attachment_url");
    const alt = item.meta.get("_wp_attachment_image_alt") ?? "";
    const caption = field("excerpt:encoded");
    const post = field("wp:post_parent");
    if (url) shown.attachments.set(apart(field("wp:post_id")), apart({ url, alt, caption, post }));
    return null;
  }
  if (type === "wp_block" && status === "publish") {
    shown.patterns.set(apart(field("wp:post_id")), apart(item.fields.get("content:encoded") ?? ""));
    return null;
  }
  const content = item.fields.get("content:encoded") ?? "";
  const audio = type === "page" ? null : audioOf(item, content, siteOf(wxr));
  if (type !== "post" && type !== "page" && !audio)
    return leftOut(title, NOT_TEXTS[type] ?? `Its type is “${type.slice(0, 40)}”`);
  if (status === "trash") return leftOut(title, "It’s in the bin");
  if (status === "auto-draft" || status === "inherit") return leftOut(title, "WordPress autosaved it");
  const { html, notes, isPending } = textOfItem(
    item,
    audio ? withoutPlayers(content) : content,
    libraryOf(shown),
  );
  const link = URL.parse(field("link"), siteOf(wxr) ?? undefined)?.href ?? field("link");
  const image = imageOf(item, shown);
  return {
    post: {
      key: keyOf(field("guid") || link, field("wp:post_id")),
      kind: type === "page" ? "page" : "post",
      title,
      slug: slugIn(field("wp:post_name")),
      ...stateOf(item, [...(audio ? [EPISODE] : []), ...notes, ...notesOf(item)]),
      excerpt: field("excerpt:encoded"),
      text: { html },
      ...wordsOf(item),
      image,
      metaTitle: templateless(item.meta.get("_yoast_wpseo_title")),
      metaDescription: templateless(
        item.meta.get("_yoast_wpseo_metadesc") ?? item.meta.get("rank_math_description"),
      ),
      sourceUrl: foreign(item.meta.get("_yoast_wpseo_canonical"), wxr),
      authors: authorsOf(item, wxr),
      guid: field("guid"),
      // Squarespace writes paths, and knows no numbers.
      addresses: field("link").startsWith("/")
        ? pathsOf(new URL(link, "https://old.invalid"))
        : addressesOf(link, field("wp:post_id"), type),
      ...(audio && { audio }),
      isPending: isPending || (image?.url === "" && !shown.isComplete),
    },
  };
}

/** Of a plugin for several authors, those; or else the one that WordPress knows. */
function authorsOf({ categories, fields }: WxrItem, { authors }: Wxr) {
  const several = categories.filter(({ domain }) => domain === "author").map(({ name }) => name);
  const login = fields.get("dc:creator")?.trim() ?? "";
  return several.length > 0 ? several : [authors.get(login) ?? login].filter(Boolean);
}

/** WordPress writes other letters with percent signs. Squarespace’s may have folders and an ending. */
const slugIn = (name: string) =>
  decoded(name)
    .split("/")
    .at(-1)!
    .replace(/\.html?$/i, "")
    .replace(/^null$/, "");

/** Squarespace’s path; of a draft that has none it ends in “null”. */
const pathsOf = ({ pathname }: URL) => (pathname.endsWith("/null") ? [] : [pathname]);

/** Characters, as the import takes them. */
const LONGEST_KEY = 500;

/** The number is what makes it unique within a site. */
function keyOf(address: string, id: string) {
  const room = LONGEST_KEY - `wordpress  ${id}`.length;
  return `wordpress ${address.slice(0, room)} ${id}`;
}

const leftOut = (title: string, why: string): Read => ({ leftOut: { title, why } });

const NOT_TEXTS: Record<string, string> = {
  nav_menu_item: "It’s a menu entry",
  revision: "It’s an earlier version",
  custom_css: "It’s part of the design",
  customize_changeset: "It’s part of the design",
  wp_global_styles: "It’s part of the design",
  wp_template: "It’s part of the design",
  wp_template_part: "It’s part of the design",
  wp_navigation: "It’s a menu entry",
  wp_block: "It’s a block shared between posts",
  oembed_cache: "WordPress autosaved it",
};

/** Of the old site, without a slash at its end. */
const siteOf = ({ channel }: Wxr) =>
  (channel.get("wp:base_blog_url") || channel.get("link") || null)?.replace(/\/+$/, "") ?? null;

/** Before WordPress 3.1 tags were called so, and each category was written a second time without a group. */
const TAGS = ["post_tag", "tag"];
const KNOWN_GROUPS = ["category", "post_format", "author", "", ...TAGS];

/** Notes on other parts that are not imported. */
function notesOf({ comments, categories, fields, meta }: WxrItem) {
  const formats = categories.filter(({ domain }) => domain === "post_format").map(({ name }) => name);
  const kinds = categories.filter(({ domain }) => !KNOWN_GROUPS.includes(domain));
  return [
    ...(comments > 0
      ? [`${counted(comments, "comment")} ${comments === 1 ? "isn’t" : "aren’t"} imported.`]
      : []),
    ...(formats.length > 0 ? [`Its format isn’t kept: ${formats.join(", ")}.`] : []),
    ...(kinds.length > 0
      ? [`Other groups that it was in aren’t kept: ${listed(kinds.map(({ name }) => name))}.`]
      : []),
    ...(meta.has("_elementor_data") && (fields.get("content:encoded") ?? "").trim() === ""
      ? ["Its text is in the page builder Elementor, which isn’t read: it comes without text."]
      : []),
    ...(fields.get("wp:is_sticky")?.trim() === "1" ? ["It was pinned to the top, which isn’t kept."] : []),
  ];
}

function textOfItem(item: WxrItem, content: string, library: Library) {
  const read = fromClassic(content, item.fields.get("wp:post_id")?.trim() ?? "", library);
  return { ...read, html: read.html + footnotesOf(item.meta.get("footnotes")) };
}

/** WordPress keeps the footnotes of a post beside it. */
function footnotesOf(json: string | undefined) {
  if (!json) return "";
  try {
    const notes = JSON.parse(json) as { id?: unknown; content?: unknown }[];
    return notes
      .map(
        ({ id, content }) =>
          `<div data-footnote="${String(id).replaceAll('"', "")}">${String(content)}</div>`,
      )
      .join("");
  } catch {
    // What a plugin of the same name stored.
    return "";
  }
}

function stateOf(item: WxrItem, notes: string[]): Pick<ForeignPost, "status" | "at" | "notes"> {
  const field = (name: string) => item.fields.get(name)?.trim() ?? "";
  const at = timeOf(field("wp:post_date_gmt")) ?? timeOf(field("pubDate")) ?? timeOf(field("wp:post_date"));
  const asDraft = (note: string) => ({ status: "draft" as const, at, notes: [...notes, note] });
  const closed = closedBy(item, field("content:encoded"));
  if (field("wp:post_password")) return asDraft("It was password-protected, so it’s imported as a draft.");
  switch (field("wp:status")) {
    case "publish":
      return closed === null ? { status: "published", at, notes } : asDraft(closed);
    case "future":
      return closed === null ? { status: "scheduled", at, notes } : asDraft(closed);
    case "private":
      return asDraft("It was private, so it’s imported as a draft.");
    case "draft":
      return { status: "draft", at: null, notes };
    default:
      return {
        status: "draft",
        at: null,
        notes: [
          ...notes,
          `Its status was “${field("wp:status").slice(0, 40)}”, so it’s imported as a draft.`,
        ],
      };
  }
}

/** Its categories; those that this site does not have become tags. */
function wordsOf({ categories }: WxrItem) {
  const names = (...domains: string[]) =>
    categories.filter(({ domain }) => domains.includes(domain)).map(({ name }) => name);
  const main = names("category").filter((name) => !/^uncategori[sz]ed$/i.test(name));
  return { categories: main, tags: [...names(...TAGS), ...main] };
}

const libraryOf = ({ attachments, patterns, isComplete }: Shown): Library => ({
  picture: (id) => attachments.get(id) ?? null,
  picturesOf: (of) =>
    [...attachments.values()].filter(
      ({ url, post }) => post === of && /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(url),
    ),
  pattern: (id) => patterns.get(id) ?? null,
  isComplete,
});

function imageOf({ meta }: WxrItem, { attachments }: Shown) {
  const id = meta.get("_thumbnail_id")?.trim();
  return id ? (attachments.get(id) ?? { url: "", alt: "" }) : null;
}

/** A plugin's "%%title%% %%sep%%" says nothing here. */
const templateless = (text = "") => (text.includes("%") ? "" : text);

/** An address that is on another site. */
function foreign(address: string | undefined, { channel }: Wxr) {
  const url = URL.parse(address ?? "");
  const own = URL.parse(channel.get("link") ?? "");
  return url && url.hostname !== own?.hostname ? url.href : null;
}

/** What is not public yet has only a number, at the blog's home page, which may be in a folder. */
function addressesOf(link: string, id: string, type: string) {
  const url = URL.parse(link);
  const number = `?${type === "page" ? "page_id" : "p"}=${id}`;
  if (!url || url.pathname === "/") return [`/${number}`];
  const isHome = ["p", "page_id"].some((name) => url.searchParams.has(name));
  return isHome ? [url.pathname + number] : [url.pathname, `/${number}`];
}
