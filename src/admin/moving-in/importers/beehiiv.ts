import { BadFile } from "../zip.ts";
import { csvRowsOf, columnsOf, type CsvRow } from "./csv-rows.ts";
import { breathe, timeOf, type ForeignPost, type Read, type Source } from "./export.ts";

/** Bytes. */
const MOST = 200_000_000;
/** Posts between two pauses. */
const AT_ONCE = 20;

/** Whether a CSV has the posts of a beehiiv publication, rather than its subscribers. */
export async function isBeehiiv(file: File) {
  const columns = await columnsOf(file);
  return ["web_title", "content_html"].every((name) => columns.includes(name));
}

/**
 * The CSV that beehiiv exports (Settings, Export data, Posts).
 * @throws {BadFile}
 */
export async function openBeehiiv(file: File): Promise<Source> {
  if (file.size > MOST) throw new BadFile("This export is larger than 200 MB, the most that can be read.");
  const { rows, broken } = await csvRowsOf(file);
  return {
    place: "beehiiv",
    fileName: file.name,
    siteUrl: () => rows.map(({ url = "" }) => URL.parse(url)?.origin).find(Boolean) ?? null,
    needsSite: false,
    lists: [],
    remarks: () => (broken > 0 ? [CUT_OFF] : []),
    close: async () => {},
    async *read(onProgress) {
      for (const [index, row] of rows.entries()) {
        if (index % AT_ONCE === 0) await breathe();
        onProgress(index / rows.length);
        yield readPost(row);
      }
    },
  };
}

const CUT_OFF = "Lines of the file don’t fit its columns, and are left out. It may be cut off.";

function readPost(row: CsvRow): Read {
  const { id = "", web_title = "", url = "", web_subtitle = "", content_html = "", thumbnail_url = "" } = row;
  const address = URL.parse(url);
  if (content_html.trim() === "")
    return {
      leftOut: { title: web_title || row["email_subject_line"] || id, why: "The export has no text for it" },
    };
  return {
    post: {
      key: `beehiiv ${id || url || web_title}`.slice(0, 500),
      kind: "post",
      title: web_title || (row["email_subject_line"] ?? ""),
      slug: address?.pathname.split("/").at(-1) ?? "",
      ...withTemplates(stateOf(row), content_html),
      excerpt: web_subtitle,
      text: { html: content_html },
      tags: (row["content_tags"] ?? "")
        .split(/[;,]/)
        .map((tag) => tag.trim())
        .filter(Boolean),
      categories: [],
      image: thumbnail_url === "" ? null : { url: pictureOf(thumbnail_url), alt: "" },
      metaTitle: "",
      metaDescription: "",
      sourceUrl: null,
      authors: [],
      guid: null,
      addresses: address && address.pathname !== "/" ? [address.pathname] : [],
    },
  };
}

/** What only an email fills in; of a referral's it is left out. */
function withTemplates(
  { notes, ...state }: ReturnType<typeof stateOf>,
  html: string,
): ReturnType<typeof stateOf> {
  const values = new Set(html.match(/\{\{(?!rp_|OPEN_TRACKING)[^{}<>]{1,60}\}\}/g));
  if (values.size === 0) return { ...state, notes };
  return {
    ...state,
    notes: [...notes, `Values of a template stay as text: ${[...values].slice(0, 10).join(", ")}.`],
  };
}

/** The export has a path within beehiiv's own storage, which its pages show at a quality. */
const pictureOf = (path: string) =>
  /^\/?uploads\//.test(path)
    ? `https://media.beehiiv.com/cdn-cgi/image/quality=100/${path.replace(/^\//, "")}`
    : path;

/** What only some subscribers could read, or what has no page, is for the owner to publish. */
function stateOf(row: CsvRow): Pick<ForeignPost, "status" | "at" | "notes"> {
  const { status = "", url = "", audience, web_audiences } = row;
  const own = ["published_at", "publish_date", "displayed_date", "scheduled_at"].map((name) =>
    timeOf(row[name]),
  );
  const published = own.find((at) => at !== null) ?? null;
  const at = published ?? timeOf(row["created_at"]);
  const notes =
    published === null && at !== null ? ["Its date is that of its creation: the export has no other."] : [];
  const asDraft = (why: string) => ({
    status: "draft" as const,
    at,
    notes: [`${why}, so it’s imported as a draft.`, ...notes],
  });
  const readers = (audience ?? web_audiences ?? "").toLowerCase();
  const word = status.trim().toLowerCase();
  if (word === "draft") return { status: "draft", at: null, notes: [] };
  if (!["confirmed", "published"].includes(word)) return asDraft(`Its status was “${word.slice(0, 40)}”`);
  if (readers === "both" || (readers.includes("premium") && /free|all sub|everyone/.test(readers)))
    return asDraft("Part of it was for paying subscribers");
  if (readers.includes("premium")) return asDraft("It was for paying subscribers only");
  if (readers !== "" && !/free|all|everyone|public/.test(readers))
    return asDraft(`It was for “${readers.slice(0, 40)}”`);
  if (url.trim() === "") return asDraft("It has no page on the web");
  return { status: "published", at, notes };
}
