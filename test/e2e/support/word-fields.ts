/** The text fields that visitors or the owner see: columns, and texts within JSON. Markdown is rendered on save. */
const columns = split({
  articles: "title excerpt image_alt image_caption meta_title meta_description meta_keywords",
  campaigns: "title description reference category",
  categories: "name description",
  comments: "name text spam_reason",
  engagements: "title description venue location notes contact_phone",
  enquiries: "name title notes spam_reason",
  enquiry_mails: "subject body sent_by",
  episodes: "title description image_alt",
  files: "name alt",
  letters: "subject preheader",
  playlists: "name description",
  press_items: "title summary outlet media_type",
  shows:
    "title subtitle description author owner_name copyright funding_text update_frequency apple_verification license " +
    "location",
  social_posts: "author content",
  users: "full_name",
  ventures: "name description",
});
const json = split({
  articles: "tags",
  enquiries: "fields",
  episodes: "chapters people soundbites cues",
  pages: "content",
  settings: "site",
  shows: "people",
});

function split(names: Record<string, string>) {
  return Object.entries(names).map(([table, listed]) => [table, listed.split(" ")] as const);
}

/** Values in JSON that are addresses, choices of a list, or rendered on save. */
const isNoWord = (key: string, value: string) =>
  /^(?:asOf|engagementType|eventDate|frameHosts|group|honorarium|href|html|language|lead|markdown|network|role|since|timeZone|to|type)$/.test(
    key,
  ) || /^(?:https?:\S*|\S+@\S+)$/.test(value);

type Write = (field: string) => string;

/** Items of a list get different texts, because they must be unique. */
function fill(value: unknown, path: string, key: string, write: Write): unknown {
  if (typeof value === "string") return isNoWord(key, value) ? value : write(path);
  if (Array.isArray(value))
    return value.map((each, index) => fill(each, path, key, (field) => `${write(field)} ${index}`));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fill(each, `${path}.${name}`, name, write)]),
  );
}

const update = (table: string, names: string[]) =>
  `update ${table} set ${names.map((name) => `${name} = ?`).join(", ")}`;

/**
 * All text fields, written in one batch without the API, whose length limits would allow few texts in one field. Values
 * within JSON replace the current ones.
 */
export async function wordFields(db: D1Database) {
  const tables = await Promise.all(
    json.map(async ([table, names]) => {
      const { results } = await db.prepare(`select rowid as at, ${names.join(", ")} from ${table}`).all();
      return { table, names, rows: results as Record<string, string>[] };
    }),
  );
  const writeColumns = (write: Write) =>
    columns.map(([table, names]) =>
      db.prepare(update(table, names)).bind(...names.map((name) => write(`${table}.${name}`))),
    );
  const writeJson = (write: Write) =>
    tables.flatMap(({ table, names, rows }) =>
      rows.map((row) => {
        const filled = names.map((name) => fill(JSON.parse(row[name]!), `${table}.${name}`, name, write));
        const values = filled.map((value) => JSON.stringify(value));
        return db.prepare(`${update(table, names)} where rowid = ?`).bind(...values, row["at"]);
      }),
    );
  return (write: Write) => db.batch([...writeColumns(write), ...writeJson(write)]);
}
