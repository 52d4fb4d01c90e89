import { api, readJson } from "#site/api.ts";
import {
  MANIFEST,
  type ArchivedObject,
  type ArchiveOutline,
  type Manifest,
} from "#worker/exports/contract.ts";
import { sha256Of } from "../moving-in/sha256.ts";
import { ZipRefused, type Tools } from "./make-zip.tsx";

const CHANGED =
  "A text was added or got another address, or the site was updated, while the zip was made. Make it again, and save nothing until it is ready.";

/** The archive of this site as a zip: its pieces (`worker/exports/pieces.ts`), joined here. */
export async function makeArchive({ signal, until, onPart }: Tools): Promise<Blob> {
  const { BlobReader, BlobWriter, TextReader, ZipWriter } =
    await import("@zip.js/zip.js/lib/zip-core-native.js");
  const outline = await until(() => readJson(api.export.outline.$get()));
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  const readFile = (file: string) => readPieces(file, outline, { signal, until });
  const tables: Manifest["tables"] = [];
  for (const { table, file } of outline.tables) {
    const text = await readFile(file);
    await zip.add(file, new BlobReader(text));
    tables.push({ table, file, ...(await factsOf(text)) });
    onPart(tables.length / (outline.tables.length + 1));
  }
  const list = await readFile(outline.objects);
  await zip.add(outline.objects, new BlobReader(list));
  const objects = { file: outline.objects, ...(await factsOf(list)), total: await totalOf(list) };
  const manifest: Manifest = { ...outline.head, tables, objects };
  await zip.add(MANIFEST, new TextReader(`${JSON.stringify(manifest, null, 2)}\n`));
  return zip.close();
}

type Begun = Pick<ArchiveOutline, "contentVersion" | "permit">;

async function readPieces(
  file: string,
  { contentVersion: wanted, permit }: Begun,
  { signal, until }: Pick<Tools, "signal" | "until">,
) {
  const texts: string[] = [];
  for (let after: string | undefined; ;) {
    signal.throwIfAborted();
    const query = { file, permit, ...(after !== undefined && { after }) };
    const { text, next, contentVersion } = await until(() => readJson(api.export.pieces.$get({ query })));
    if (contentVersion !== wanted) throw new ZipRefused(CHANGED);
    texts.push(text);
    if (next === null) return new Blob(texts);
    after = next;
  }
}

async function factsOf(text: Blob) {
  const bytes = new Uint8Array(await text.arrayBuffer());
  return {
    rows: bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0),
    bytes: bytes.length,
    sha256: await sha256Of(bytes),
  };
}

async function totalOf(list: Blob) {
  const lines = (await list.text()).split("\n").filter((line) => line !== "");
  return lines.reduce((sum, line) => sum + (JSON.parse(line) as ArchivedObject).bytes, 0);
}
