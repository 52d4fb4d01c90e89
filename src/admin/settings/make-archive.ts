import { api, readJson } from "#site/api.ts";
import { MANIFEST, type ArchivedObject, type Manifest } from "#worker/exports/contract.ts";

type Tools = {
  signal: AbortSignal;
  /** Sends until there is an answer. */
  until: <T>(send: () => Promise<T>) => Promise<T>;
  /** 0 to 1. */
  onPart: (part: number) => void;
};

/** The archive of this site as a zip: its pieces (`worker/exports/pieces.ts`), joined here. */
export async function makeArchive({ signal, until, onPart }: Tools): Promise<Blob> {
  const { BlobReader, BlobWriter, TextReader, ZipWriter } =
    await import("@zip.js/zip.js/lib/zip-core-native.js");
  const outline = await until(() => readJson(api.export.outline.$get()));
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  const tables: Manifest["tables"] = [];
  for (const { table, file } of outline.tables) {
    const text = await readFile(file, { signal, until });
    await zip.add(file, new BlobReader(text));
    tables.push({ table, file, ...(await factsOf(text)) });
    onPart(tables.length / (outline.tables.length + 1));
  }
  const list = await readFile(outline.objects, { signal, until });
  await zip.add(outline.objects, new BlobReader(list));
  const objects = { file: outline.objects, ...(await factsOf(list)), total: await totalOf(list) };
  const manifest: Manifest = { ...outline, tables, objects };
  await zip.add(MANIFEST, new TextReader(`${JSON.stringify(manifest, null, 2)}\n`));
  return zip.close();
}

async function readFile(file: string, { signal, until }: Pick<Tools, "signal" | "until">) {
  const texts: string[] = [];
  for (let after: string | undefined; ;) {
    signal.throwIfAborted();
    const query = { file, ...(after !== undefined && { after }) };
    const { text, next } = await until(() => readJson(api.export.pieces.$get({ query })));
    texts.push(text);
    if (next === null) return new Blob(texts);
    after = next;
  }
}

async function factsOf(text: Blob) {
  const bytes = new Uint8Array(await text.arrayBuffer());
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return {
    rows: bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0),
    bytes: bytes.length,
    sha256: [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

async function totalOf(list: Blob) {
  const lines = (await list.text()).split("\n").filter((line) => line !== "");
  return lines.reduce((sum, line) => sum + (JSON.parse(line) as ArchivedObject).bytes, 0);
}
