import { BadFile, type Zip } from "../zip.ts";
import { csvRowsOf, type CsvRow } from "./csv-rows.ts";
import { timeOf, type ForeignPost, type Read, type Source } from "./export.ts";

/** Bytes, unpacked. */
const MOST_LIST = 100_000_000;
const MOST_POST = 20_000_000;

const isEmails = (name: string) => /(?:^|\/)emails\.(?:json|csv)$/i.test(name);

export const isButtondown = ({ names }: Zip) =>
  names.some(isEmails) && names.some((name) => /(?:^|\/)emails\/[^/]+\.md$/i.test(name));

/**
 * The zip that Buttondown exports (Settings, Exports): emails.csv or emails.json, and emails/SLUG.md.
 * @throws {BadFile}
 */
export async function openButtondown(zip: Zip, fileName: string): Promise<Source> {
  const list = zip.names
    .filter(isEmails)
    .toSorted((a, b) => Number(/csv$/i.test(a)) - Number(/csv$/i.test(b)))[0]!;
  const folder = list.slice(0, list.lastIndexOf("emails."));
  const file = await zip.unpack(list, MOST_LIST);
  const rows = /\.json$/i.test(list) ? jsonRowsOf(await file.text()) : (await csvRowsOf(file)).rows;
  const subscribers = zip.names.filter((name) => /(?:^|\/)subscribers[^/]*\.csv$/i.test(name));
  return {
    place: "buttondown",
    fileName,
    siteUrl: () => null,
    needsSite: false,
    lists: await Promise.all(
      subscribers.map(
        async (name) =>
          new File([await zip.unpack(name, MOST_LIST)], name.split("/").at(-1)!, { type: "text/csv" }),
      ),
    ),
    remarks: () => [],
    close: () => zip.close(),
    async *read(onProgress) {
      for (const [index, row] of rows.entries()) {
        onProgress(index / rows.length);
        yield await readEmail(zip, folder, row);
      }
    },
  };
}

function jsonRowsOf(text: string): CsvRow[] {
  try {
    const read: unknown = JSON.parse(text);
    if (!Array.isArray(read)) throw new SyntaxError("not a list");
    return read.map((row: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key.toLowerCase(), value === null ? "" : String(value)]),
      ),
    );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadFile("The emails.json in this zip couldn’t be read.");
  }
}

/** Fancy is HTML, and the others Markdown. */
const MODE = /^\s*<!--\s*buttondown-editor-mode:\s*(\w+)\s*-->/i;

async function readEmail(zip: Zip, folder: string, row: CsvRow): Promise<Read> {
  const { id = "", subject = "", slug = "" } = row;
  const name = `${folder}emails/${slug}.md`;
  if (slug === "" || !zip.names.includes(name))
    return { leftOut: { title: subject || id, why: "The zip has no text for it" } };
  const text = await (await zip.unpack(name, MOST_POST)).text();
  const body = text.replace(MODE, "");
  const isFancy = MODE.exec(text)?.[1]?.toLowerCase() === "fancy";
  return {
    post: {
      key: `buttondown ${id || slug}`.slice(0, 500),
      kind: "post",
      title: subject,
      slug,
      ...stateOf(row),
      excerpt: row["description"] ?? "",
      text: isFancy ? { html: body } : { markdown: body, isForeign: true },
      tags: [],
      categories: [],
      image: row["image"] ? { url: row["image"], alt: "" } : null,
      metaTitle: "",
      metaDescription: "",
      sourceUrl: row["canonical_url"] || null,
      authors: [],
      guid: null,
      addresses: [`/archive/${slug}/`],
    },
  };
}

/** An email that was not sent, or not to everyone, becomes a draft for the owner to publish. */
function stateOf(row: CsvRow): Pick<ForeignPost, "status" | "at" | "notes"> {
  const at = timeOf(row["publish_date"]);
  const status = (row["status"] ?? "").toLowerCase();
  const type = (row["email_type"] ?? "").toLowerCase();
  const asDraft = (why: string) => ({
    status: "draft" as const,
    at,
    notes: [`${why}, so it’s imported as a draft.`],
  });
  if (status === "draft" || (status === "" && at === null)) return { status: "draft", at: null, notes: [] };
  if (!["", "sent", "imported", "scheduled"].includes(status))
    return asDraft(`Its status was “${status.slice(0, 40)}”`);
  if (!["", "public", "archival"].includes(type))
    return asDraft(`It was for “${type.slice(0, 40)}” subscribers`);
  if (/^(?:disabled|false)$/i.test(row["archival_mode"] ?? ""))
    return asDraft("It wasn’t in the public archive");
  return { status: status === "scheduled" ? "scheduled" : "published", at, notes: [] };
}
