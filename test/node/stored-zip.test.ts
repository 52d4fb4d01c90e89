import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sizeInZip, storedZip, type StoredEntry } from "../../worker/exports/stored-zip.ts";

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--help"]).error === undefined;

const contents = new Map<string, Uint8Array>([
  ["files.json", Buffer.from("{}")],
  ["files/empty.txt", Buffer.alloc(0)],
  ["files/podcast-audio/1/a.mp3", Buffer.alloc(100_000, "sound")],
]);

const entries = [...contents].map(([name, bytes]): StoredEntry => ({
  name,
  size: bytes.length,
  crc32: crc32(bytes),
  read: async (offset, length) => new Blob([new Uint8Array(bytes).slice(offset, offset + length)]).stream(),
}));
const zip = storedZip(entries);
async function read(from: number, length: number) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void zip.writeTo(writable, from, length);
  return Buffer.from(await new Response(readable).arrayBuffer());
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-zip-"));
  file = join(folder, "a.zip");
  await writeFile(file, await read(0, zip.size));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a zip of stored files", () => {
  test("has the size that is known before it is read", async () => {
    assert.equal((await read(0, zip.size)).length, zip.size);
    const end = 22;
    const sum = entries.reduce((bytes, { name, size }) => bytes + sizeInZip(name, size), end);
    assert.equal(zip.size, sum);
  });

  test("is the same in any ranges", async () => {
    const whole = await read(0, zip.size);
    for (const size of [1000, 33_333]) {
      const pieces = [];
      for (let at = 0; at < zip.size; at += size) pieces.push(await read(at, Math.min(size, zip.size - at)));
      assert.deepEqual(Buffer.concat(pieces), whole);
    }
  });

  test.skipIf(!has("unzip"))("passes unzip -t", async () => {
    const { stdout } = await run("unzip", ["-t", file]);
    assert.match(stdout, /No errors detected/);
  });

  test.skipIf(!has("python3"))("is read by Python’s zipfile, with its CRCs", async () => {
    const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist())";
    const { stdout } = await run("python3", ["-c", script, file]);
    assert.equal(stdout.trim(), ["None", ...contents.keys()].join(" "));
  });
});
