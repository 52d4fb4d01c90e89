import { z } from "zod";

export const runKinds = ["copy", "drill"] as const;
export type RunKind = (typeof runKinds)[number];

/** `waiting` for its next step, `working` on it. */
export const runStates = ["waiting", "working", "done", "failed"] as const;
export type RunState = (typeof runStates)[number];

/** A range of an object. The pieces follow one another, and together they are the object. */
const Piece = z.object({ bytes: z.number().int().positive(), sha256: z.string() });
export type Piece = z.infer<typeof Piece>;

/** What a piece of SQL does. */
const SqlPiece = Piece.extend({ does: z.enum(["tables", "rows", "links", "others", "search"]) });
export type SqlPiece = z.infer<typeof SqlPiece>;

const TableFacts = z.object({
  name: z.string(),
  rows: z.number().int(),
  /** SHA-256 of its pages, each with that of the pages before it. */
  sha256: z.string(),
});
export type TableFacts = z.infer<typeof TableFacts>;

const FeedFacts = z.object({
  sha256: z.string(),
  bytes: z.number().int(),
  /** The clock with which it was rendered, in milliseconds UTC. */
  at: z.number().int(),
});
export type FeedFacts = z.infer<typeof FeedFacts>;

/** `manifest.json` of a copy. It is written last: a folder without it is not a complete copy. */
export const Manifest = z.object({
  format: z.literal(1),
  number: z.number().int(),
  site: z.string(),
  /** Of the Worker that made it. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  database: z.object({
    /** Bytes of rows in a page of a table, by which its hash is computed. */
    pageBytes: z.number().int(),
    pieces: z.array(SqlPiece),
    tables: z.array(TableFacts),
  }),
  /** `files.ndjson`: one `FileLine` a line, in the order of the keys. */
  files: z.object({ count: z.number().int(), bytes: z.number().int(), pieces: z.array(Piece) }),
  /** The podcast's feed as the copied database renders it; null if it changed during the copy, or there is none yet. */
  feed: FeedFacts.nullable(),
  /** The newest chained entry of the audit log before the database was read. Missing in older copies. */
  log: z.object({ id: z.number().int(), hash: z.string() }).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

export const FileLine = z.object({
  key: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  etag: z.string(),
});
export type FileLine = z.infer<typeof FileLine>;

/** What a finished copy has. */
export type CopyReport = { tables: number; rows: number; sqlBytes: number; files: number; fileBytes: number };

/** What a finished drill compared. */
export type DrillReport = {
  tables: number;
  rows: number;
  /** False if only the bytes of the copy were compared: restoring it would use up the writes of the free plan's day. */
  isRestored: boolean;
  files: number;
  /** Files whose bytes were read and hashed. */
  hashed: number;
  /** `same`, or why it was not compared: the copy has none, or the site was updated since. */
  feed: "same" | "changed" | "updated";
};

export type RunFacts = {
  state: RunState;
  problem: string | null;
  startedAt: Date;
  finishedAt: Date | null;
};

/** The newest copies and drills. */
export type BackupState = {
  /** Whether a bucket for copies and a database for drills are bound. */
  bucket: boolean;
  database: boolean;
  /** The newest of each, whatever its state. */
  copy: RunFacts | null;
  drill: RunFacts | null;
  /** The newest of each that succeeded. */
  lastCopy: { copy: string; finishedAt: Date; report: CopyReport } | null;
  lastDrill: { copy: string; finishedAt: Date; report: DrillReport } | null;
  /** The newest copy is older than two days, the newest drill failed, or none ended for ten days. */
  problems: BackupProblem[];
};

export type BackupProblem = "copy-old" | "drill-failed" | "drill-late";

/** What `/api/health` says of copies. Times are ISO 8601. */
export type BackupHealth = {
  lastCopy: string | null;
  lastDrill: string | null;
  problems: BackupProblem[];
};
