import { ownedKinds, type OwnedKind } from "#worker/discovery/contract.ts";
import { firstRowOf, ownedTables, sources } from "#worker/discovery/search-sources.ts";

export type ListIndex = "article_search" | "episode_search" | "press_search" | "file_search";
/** The indexes whose rows the Worker rewrites. */
export type Target = "document_search" | "moment_search" | ListIndex | "enquiry_search" | "owner_search";

/**
 * The search index as SQL statements. Migrations contain a copy of `create`.
 *
 * - `search_documents` has a row for each published document; triggers on the tables of the sources write it.
 * - `document_search` has its words, `moment_search` those of the passages of transcripts. Both stem words (Porter).
 * The columns `…_plain` have the plain forms of words that are written otherwise (tokens.ts).
 * - `search_words` has the words of both unstemmed, for spelling: a document's under its id, a passage's under its
 * negated id. `search_compounds` has each long word once, to find those that have another inside.
 * - `article_search`, `episode_search`, `press_search` and `file_search` have the words of each of them, drafts too,
 * for the owner's lists, unstemmed, so that each beginning of a word finds it. Their `filters` are words such as
 * `statusdraft`, so that a filtered page is found as one that is searched.
 * - `subscriber_search` finds an address by any three characters of it, `enquiry_search` an enquiry by its name,
 * address and title. The kind is indexed, too: a search within one reads nothing of the others.
 * - `owner_search` has the title of everything that the owner edits, whatever its status. The rows of each kind are in
 * a range of their own, so that the newest few of each are found without reading the others.
 *
 * SQL cannot split words in every script. Triggers index a text with SQLite's tokenizer and add its row to
 * `search_pending`; the Worker then rewrites the row (search-refresh.ts).
 */
const TOKENIZER = "unicode61 remove_diacritics 2 categories ''L* M* N* Co''";
const PREFIXES = "prefix = '2 3'";
const STEMMED = `tokenize = 'porter ${TOKENIZER}', ${PREFIXES}`;
const CONTENTLESS = "content = '', contentless_delete = 1";
const WORDS = "title || ' ' || summary || ' ' || names || ' ' || body";

/** The owner's lists with full-text search. */
export const lists: List[] = [
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

export type List = {
  index: ListIndex;
  table: string;
  /** The column with the rowid of the index row, which an update sets; by default `id`. */
  row?: string;
  title?: string;
  text: string;
  filters: string;
  /** The columns that these expressions read. */
  columns: string;
};

const wordTables = [
  `CREATE VIRTUAL TABLE document_search USING fts5(
	title, summary, names, body, title_plain, summary_plain, body_plain, kind, ${CONTENTLESS}, ${STEMMED}
)`,
  // A word in the title outranks one in the summary or names, and that outranks any number in the body; within each,
  // the written form outranks the plain form. bm25 saturates: with smaller weights a word that fills a body would
  // outrank one in a title.
  `INSERT INTO document_search (document_search, rank)
	VALUES ('rank', 'bm25(100000000.0, 10000.0, 10000.0, 1.0, 1000000.0, 100.0, 0.02, 0.0)')`,
  `CREATE VIRTUAL TABLE moment_search USING fts5(
	speakers, text, speakers_plain, text_plain, ${CONTENTLESS}, ${STEMMED}
)`,
  "INSERT INTO moment_search (moment_search, rank) VALUES ('rank', 'bm25(1.0, 1.0, 0.02, 0.02)')",
  `CREATE VIRTUAL TABLE search_words USING fts5(
	words, ${CONTENTLESS}, detail = 'none', tokenize = '${TOKENIZER}'
)`,
  "CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab('search_words', 'row')",
  "CREATE VIRTUAL TABLE search_compounds USING fts5(term, tokenize = 'trigram')",
  ...lists.map(
    ({ index }) => `CREATE VIRTUAL TABLE ${index} USING fts5(
	title, text, filters, ${CONTENTLESS}, tokenize = '${TOKENIZER}', ${PREFIXES}
)`,
  ),
  `CREATE VIRTUAL TABLE subscriber_search USING fts5(
	email, ${CONTENTLESS}, tokenize = 'trigram'
)`,
  `CREATE VIRTUAL TABLE enquiry_search USING fts5(
	kind, name, email, title, ${CONTENTLESS}, tokenize = 'trigram remove_diacritics 1'
)`,
  `CREATE VIRTUAL TABLE owner_search USING fts5(title UNINDEXED, words, tokenize = '${TOKENIZER}', ${PREFIXES})`,
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
  return `INSERT INTO owner_search (rowid, title, words) SELECT ${firstRowOf(kind)} + id, ${title}, ${title} FROM ${table}`;
}

/** Writes a kind's published documents: all of them, or those that meet a condition. */
function insertDocuments([kind, source]: Entry, condition = "") {
  const { table, title, summary, names, body, slug, date, isPublished } = source;
  return `INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT '${kind}', id, ${slug}, ${date}, ${title}, ${summary}, ${names}, ${body}
	FROM ${table} WHERE ${isPublished}${condition}`;
}

/** Writes the index rows of documents and passages: of all, or of one. */
const insertFound = (id?: string) => `INSERT INTO document_search (rowid, title, summary, names, body, kind)
	SELECT id, title, summary, names, body, 'kind' || kind FROM search_documents${id ? ` WHERE id = ${id}` : ""}`;
const insertMoments = (id?: string) => `INSERT INTO moment_search (rowid, speakers, text)
	SELECT id, speakers, text FROM episode_passages${id ? ` WHERE id = ${id}` : ""}`;

/** The rows that the Worker rewrites. */
const targets: { target: Target; table: string; row: string }[] = [
  { target: "document_search", table: "search_documents", row: "id" },
  { target: "moment_search", table: "episode_passages", row: "id" },
  ...lists.map(({ index, table, row = "id" }) => ({ target: index, table, row })),
  { target: "enquiry_search", table: "enquiries", row: "id" },
  { target: "owner_search", table: "owner_search", row: "rowid" },
];

const fill = [
  "DELETE FROM search_documents",
  ...entries.map((entry) => insertDocuments(entry)),
  insertFound(),
  insertMoments(),
  `INSERT INTO search_words (rowid, words) SELECT id, ${WORDS} FROM search_documents`,
  "INSERT INTO search_words (rowid, words) SELECT -id, text FROM episode_passages",
  ...lists.map((list) => insertListed(list)),
  "INSERT INTO subscriber_search (rowid, email) SELECT rowid, email FROM subscribers",
  "INSERT INTO enquiry_search (rowid, kind, name, email, title) SELECT id, kind, name, email, title FROM enquiries",
  ...ownedKinds.map(insertTitles),
  "DELETE FROM search_pending",
  ...targets.map(
    ({ target, table, row }) => `INSERT INTO search_pending (target, row, is_bulk)
	SELECT '${target}', ${row}, 1 FROM ${table} WHERE ${row} IS NOT NULL`,
  ),
];

/** Two statements, since within a trigger the outer statement's conflict clause applies. */
const forgetPending = (target: Target, row: string) =>
  `DELETE FROM search_pending WHERE target = '${target}' AND row = ${row}`;
const addPending = (target: Target, row: string) => [
  forgetPending(target, row),
  `INSERT INTO search_pending (target, row) SELECT '${target}', ${row} WHERE ${row} IS NOT NULL`,
];

type Trigger = { name: string; event: string; statements: string[] };

const wordTriggers: Trigger[] = [
  {
    name: "search_documents_insert",
    event: "AFTER INSERT ON search_documents",
    statements: [
      insertFound("new.id"),
      `INSERT INTO search_words (rowid, words) SELECT id, ${WORDS} FROM search_documents WHERE id = new.id`,
      ...addPending("document_search", "new.id"),
    ],
  },
  {
    name: "search_documents_delete",
    event: "AFTER DELETE ON search_documents",
    statements: [
      "DELETE FROM document_search WHERE rowid = old.id",
      "DELETE FROM search_words WHERE rowid = old.id",
      forgetPending("document_search", "old.id"),
    ],
  },
  {
    name: "search_passages_insert",
    event: "AFTER INSERT ON episode_passages",
    statements: [
      insertMoments("new.id"),
      "INSERT INTO search_words (rowid, words) VALUES (-new.id, new.text)",
      ...addPending("moment_search", "new.id"),
    ],
  },
  {
    name: "search_passages_delete",
    event: "AFTER DELETE ON episode_passages",
    statements: [
      "DELETE FROM moment_search WHERE rowid = old.id",
      "DELETE FROM search_words WHERE rowid = -old.id",
      forgetPending("moment_search", "old.id"),
    ],
  },
];

function listTriggers(list: List): Trigger[] {
  const { index, table, row = "id", columns } = list;
  const forget = [`DELETE FROM ${index} WHERE rowid = old.${row}`, forgetPending(index, `old.${row}`)];
  const add = [insertListed(list, "id = new.id"), ...addPending(index, `new.${row}`)];
  const insert = { name: `${index}_insert`, event: `AFTER INSERT ON ${table}`, statements: add };
  return [
    ...(list.row ? [] : [insert]),
    {
      name: `${index}_update`,
      event: `AFTER UPDATE OF ${columns} ON ${table}`,
      statements: [forget[0]!, ...add],
    },
    { name: `${index}_delete`, event: `AFTER DELETE ON ${table}`, statements: forget },
  ];
}

/** No update trigger: an address never changes. */
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
      ...addPending("enquiry_search", "new.id"),
    ],
  },
  {
    name: "enquiry_search_update",
    event: "AFTER UPDATE OF kind, name, email, title ON enquiries",
    statements: [
      "UPDATE enquiry_search SET kind = new.kind, name = new.name, email = new.email, title = new.title WHERE rowid = old.id",
      ...addPending("enquiry_search", "old.id"),
    ],
  },
  {
    name: "enquiry_search_delete",
    event: "AFTER DELETE ON enquiries",
    statements: [
      "DELETE FROM enquiry_search WHERE rowid = old.id",
      forgetPending("enquiry_search", "old.id"),
    ],
  },
];

const titleTriggers = ownedKinds.flatMap((kind): Trigger[] => {
  const { table, title } = ownedTables[kind];
  const row = firstRowOf(kind);
  const note = addPending("owner_search", `${row} + new.id`);
  return [
    {
      name: `owner_search_${table}_insert`,
      event: `AFTER INSERT ON ${table}`,
      statements: [
        `INSERT INTO owner_search (rowid, title, words) VALUES (${row} + new.id, new.${title}, new.${title})`,
        ...note,
      ],
    },
    {
      name: `owner_search_${table}_update`,
      event: `AFTER UPDATE OF ${title} ON ${table}`,
      statements: [
        `UPDATE owner_search SET title = new.${title}, words = new.${title} WHERE rowid = ${row} + new.id`,
        ...note,
      ],
    },
    {
      name: `owner_search_${table}_delete`,
      event: `AFTER DELETE ON ${table}`,
      statements: [
        `DELETE FROM owner_search WHERE rowid = ${row} + old.id`,
        forgetPending("owner_search", `${row} + old.id`),
      ],
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

/** The former index, which the previous version of the Worker still reads during a deployment. */
export const dropFormer = ["search", "passage_search"].map((table) => `DROP TABLE IF EXISTS ${table}`);

/** Removes the index. D1 cannot export a database with FTS5 tables. */
export const dropIndex = [
  ...triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
  ...[
    "owner_search",
    "subscriber_search",
    "enquiry_search",
    ...lists.map(({ index }) => index),
    "search_compounds",
    "search_vocabulary",
    "search_words",
    "moment_search",
    "document_search",
  ].map((table) => `DROP TABLE IF EXISTS ${table}`),
  ...dropFormer,
];

/** Creates and fills the index if there is none. */
export const createIndex = [...wordTables, ...fill, ...triggers.map(createTrigger)];
