import { ownedKinds, type OwnedKind } from "#worker/discovery/contract.ts";
import { firstRowOf, ownedTables, sources } from "#worker/discovery/search-sources.ts";

/**
 * The search index as SQL statements. Migrations hold a copy of `create`.
 *
 * - `search_documents` has a row for each published document; triggers on the tables of the sources write it.
 * - `search` is FTS5 over it, `passage_search` over the passages of transcripts. Both stem words (Porter).
 * - `search_words` has the words of both unstemmed, for spelling: a document's under its id, a passage's under its
 *   negated id.
 * - `article_search`, `episode_search`, `press_search` and `file_search` have the words of each of them, drafts too, for the
 *   owner's lists, unstemmed, so that each beginning of a word finds it. Their `filters` are words such as `statusdraft`, so
 *   that a filtered page is found as one that is searched.
 * - `subscriber_search` finds an address by any three characters of it, `enquiry_search` an enquiry by its name, address and
 *   title. The kind is indexed, too: a search within one reads nothing of the others.
 * - `owner_search` has the title of everything that the owner edits, whatever its status. The rows of each kind are in a
 *   range of their own, so that the newest few of each are found without reading the others.
 */
const TOKENIZER = "unicode61 remove_diacritics 2";
const PREFIXES = "prefix = '2 3'";
const STEMMED = `tokenize = 'porter ${TOKENIZER}', ${PREFIXES}`;
const WORDS = "title || ' ' || summary || ' ' || names || ' ' || body";

/** The lists of the owner that are searched in their texts. */
const lists: List[] = [
  {
    index: "article_search",
    table: "articles",
    text: "excerpt || ' ' || content_text",
    filters: "'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')",
    columns: "title, excerpt, content_text, status, source, category_id",
  },
  {
    index: "episode_search",
    table: "episodes",
    text: "description || ' ' || show_notes_text",
    filters: "'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type",
    columns: "title, description, show_notes_text, status, season_number, episode_type",
  },
  {
    index: "press_search",
    table: "press_items",
    text: "summary || ' ' || outlet || ' ' || content_text",
    filters: "''",
    columns: "title, summary, outlet, content_text",
  },
  {
    index: "file_search",
    table: "files",
    row: "number",
    title: "name",
    text: "alt",
    filters:
      "'kind' || CASE WHEN type LIKE 'image/%' THEN 'picture' WHEN type LIKE 'audio/%' THEN 'audio' ELSE 'other' END\n\t\t|| CASE is_used WHEN 1 THEN ' useyes' ELSE ' useno' END",
    columns: "number, name, alt, type, is_used",
  },
];

type List = {
  index: string;
  table: string;
  /** The column with the number of an index row, which a row of the table gets by an update; without it, `id`. */
  row?: string;
  title?: string;
  text: string;
  filters: string;
  /** What all these read. */
  columns: string;
};

const wordTables = [
  `CREATE VIRTUAL TABLE search USING fts5(
	title, summary, names, body, kind UNINDEXED, item_id UNINDEXED, slug UNINDEXED, date UNINDEXED,
	content = 'search_documents', content_rowid = 'id', ${STEMMED}
)`,
  // A word in the title outdoes one in the summary or the names, and that one any number in the body. bm25 lets a weight
  // saturate: with smaller ones, a word that fills a body outdoes one in a title.
  "INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1000.0, 100.0, 100.0, 1.0)')",
  `CREATE VIRTUAL TABLE passage_search USING fts5(
	speakers, text, content = 'episode_passages', content_rowid = 'id', ${STEMMED}
)`,
  `CREATE VIRTUAL TABLE search_words USING fts5(
	words, content = '', contentless_delete = 1, detail = 'none', tokenize = '${TOKENIZER}'
)`,
  "CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab('search_words', 'row')",
  ...lists.map(
    ({ index }) => `CREATE VIRTUAL TABLE ${index} USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = '${TOKENIZER}', ${PREFIXES}
)`,
  ),
  `CREATE VIRTUAL TABLE subscriber_search USING fts5(
	email, content = '', contentless_delete = 1, tokenize = 'trigram'
)`,
  `CREATE VIRTUAL TABLE enquiry_search USING fts5(
	kind, name, email, title, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
)`,
  `CREATE VIRTUAL TABLE owner_search USING fts5(title, tokenize = '${TOKENIZER}', ${PREFIXES})`,
];

type Entry = [kind: string, source: (typeof sources)[keyof typeof sources]];
const entries: Entry[] = Object.entries(sources);

/** Writes the rows of a list: all of them, or those that meet a condition. */
function insertListed({ index, table, row, title = "title", text, filters }: List, condition = "") {
  const conditions = [row && `${row} IS NOT NULL`, condition].filter(Boolean).join(" AND ");
  return `INSERT INTO ${index} (rowid, title, text, filters)
	SELECT ${row ?? "id"}, ${title}, ${text},
		${filters}
	FROM ${table}${conditions && ` WHERE ${conditions}`}`;
}

/** Writes the titles of a kind. */
function insertTitles(kind: OwnedKind) {
  const { table, title } = ownedTables[kind];
  return `INSERT INTO owner_search (rowid, title) SELECT ${firstRowOf(kind)} + id, ${title} FROM ${table}`;
}

/** Writes a kind's published documents: all of them, or those that meet a condition. */
function insertDocuments([kind, source]: Entry, condition = "") {
  const { table, title, summary, names, body, slug, date, isPublished } = source;
  return `INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT '${kind}', id, ${slug}, ${date}, ${title}, ${summary}, ${names}, ${body}
	FROM ${table} WHERE ${isPublished}${condition}`;
}

const fill = [
  "DELETE FROM search_documents",
  ...entries.map((entry) => insertDocuments(entry)),
  "INSERT INTO search (search) VALUES ('rebuild')",
  "INSERT INTO passage_search (passage_search) VALUES ('rebuild')",
  `INSERT INTO search_words (rowid, words) SELECT id, ${WORDS} FROM search_documents`,
  "INSERT INTO search_words (rowid, words) SELECT -id, text FROM episode_passages",
  ...lists.map((list) => insertListed(list)),
  "INSERT INTO subscriber_search (rowid, email) SELECT rowid, email FROM subscribers",
  "INSERT INTO enquiry_search (rowid, kind, name, email, title) SELECT id, kind, name, email, title FROM enquiries",
  ...ownedKinds.map(insertTitles),
];

type Trigger = { name: string; event: string; statements: string[] };

const wordTriggers: Trigger[] = [
  {
    name: "search_documents_insert",
    event: "AFTER INSERT ON search_documents",
    statements: [
      `INSERT INTO search (rowid, title, summary, names, body)
	SELECT id, title, summary, names, body FROM search_documents WHERE id = new.id`,
      `INSERT INTO search_words (rowid, words) SELECT id, ${WORDS} FROM search_documents WHERE id = new.id`,
    ],
  },
  {
    name: "search_documents_delete",
    event: "AFTER DELETE ON search_documents",
    statements: [
      `INSERT INTO search (search, rowid, title, summary, names, body)
	VALUES ('delete', old.id, old.title, old.summary, old.names, old.body)`,
      "DELETE FROM search_words WHERE rowid = old.id",
    ],
  },
  {
    name: "search_passages_insert",
    event: "AFTER INSERT ON episode_passages",
    statements: [
      "INSERT INTO passage_search (rowid, speakers, text) VALUES (new.id, new.speakers, new.text)",
      "INSERT INTO search_words (rowid, words) VALUES (-new.id, new.text)",
    ],
  },
  {
    name: "search_passages_delete",
    event: "AFTER DELETE ON episode_passages",
    statements: [
      `INSERT INTO passage_search (passage_search, rowid, speakers, text)
	VALUES ('delete', old.id, old.speakers, old.text)`,
      "DELETE FROM search_words WHERE rowid = -old.id",
    ],
  },
];

function listTriggers(list: List): Trigger[] {
  const { index, table, row = "id", columns } = list;
  const forget = `DELETE FROM ${index} WHERE rowid = old.${row}`;
  const add = insertListed(list, "id = new.id");
  const insert = { name: `${index}_insert`, event: `AFTER INSERT ON ${table}`, statements: [add] };
  return [
    ...(list.row ? [] : [insert]),
    { name: `${index}_update`, event: `AFTER UPDATE OF ${columns} ON ${table}`, statements: [forget, add] },
    { name: `${index}_delete`, event: `AFTER DELETE ON ${table}`, statements: [forget] },
  ];
}

/** An address never changes. */
const subscriberTriggers: Trigger[] = [
  {
    name: "subscriber_search_insert",
    event: "AFTER INSERT ON subscribers",
    statements: ["INSERT INTO subscriber_search (rowid, email) VALUES (new.rowid, new.email)"],
  },
  {
    name: "subscriber_search_delete",
    event: "AFTER DELETE ON subscribers",
    statements: ["DELETE FROM subscriber_search WHERE rowid = old.rowid"],
  },
];

const enquiryTriggers: Trigger[] = [
  {
    name: "enquiry_search_insert",
    event: "AFTER INSERT ON enquiries",
    statements: [
      "INSERT INTO enquiry_search (rowid, kind, name, email, title) VALUES (new.id, new.kind, new.name, new.email, new.title)",
    ],
  },
  {
    name: "enquiry_search_update",
    event: "AFTER UPDATE OF kind, name, email, title ON enquiries",
    statements: [
      "UPDATE enquiry_search SET kind = new.kind, name = new.name, email = new.email, title = new.title WHERE rowid = old.id",
    ],
  },
  {
    name: "enquiry_search_delete",
    event: "AFTER DELETE ON enquiries",
    statements: ["DELETE FROM enquiry_search WHERE rowid = old.id"],
  },
];

const titleTriggers = ownedKinds.flatMap((kind): Trigger[] => {
  const { table, title } = ownedTables[kind];
  const row = firstRowOf(kind);
  return [
    {
      name: `owner_search_${table}_insert`,
      event: `AFTER INSERT ON ${table}`,
      statements: [`INSERT INTO owner_search (rowid, title) VALUES (${row} + new.id, new.${title})`],
    },
    {
      name: `owner_search_${table}_update`,
      event: `AFTER UPDATE OF ${title} ON ${table}`,
      statements: [`UPDATE owner_search SET title = new.${title} WHERE rowid = ${row} + new.id`],
    },
    {
      name: `owner_search_${table}_delete`,
      event: `AFTER DELETE ON ${table}`,
      statements: [`DELETE FROM owner_search WHERE rowid = ${row} + old.id`],
    },
  ];
});

function sourceTriggers(entry: Entry): Trigger[] {
  const [kind, { table, columns }] = entry;
  const remove = `DELETE FROM search_documents WHERE kind = '${kind}' AND item_id = old.id`;
  const insert = insertDocuments(entry, " AND id = new.id");
  const changed = columns.join(", ");
  return [
    { name: `search_${table}_insert`, event: `AFTER INSERT ON ${table}`, statements: [insert] },
    {
      name: `search_${table}_update`,
      event: `AFTER UPDATE OF ${changed} ON ${table}`,
      statements: [remove, insert],
    },
    { name: `search_${table}_delete`, event: `AFTER DELETE ON ${table}`, statements: [remove] },
  ];
}

const createTrigger = ({ name, event, statements }: Trigger) =>
  `CREATE TRIGGER ${name} ${event} BEGIN\n${statements.map((statement) => `\t${statement};\n`).join("")}END`;

const triggers = [
  ...wordTriggers,
  ...lists.flatMap(listTriggers),
  ...subscriberTriggers,
  ...enquiryTriggers,
  ...titleTriggers,
  ...entries.flatMap(sourceTriggers),
];

/** Removes the index. D1 exports no database that has an FTS5 table. */
export const dropIndex = [
  ...triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
  ...[
    "owner_search",
    "subscriber_search",
    "enquiry_search",
    ...lists.map(({ index }) => index),
    "search_vocabulary",
    "search_words",
    "passage_search",
    "search",
  ].map((table) => `DROP TABLE IF EXISTS ${table}`),
];

/** Makes and fills the index where none is. */
export const createIndex = [...wordTables, ...fill, ...triggers.map(createTrigger)];
