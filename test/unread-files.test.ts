import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { OBJECTS } from "#worker/exports/archive.ts";
import { listFilesParts } from "#worker/exports/files.ts";
import { readOutline, readPiece } from "#worker/exports/pieces.ts";
import { hashFiles, hasUnhashedFiles, MOST_HASHED_FREE } from "#worker/files/hashes.ts";
import { objectHashes } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { restorePiece } from "#worker/restores/restore-piece.ts";
import { stagedKey } from "#worker/restores/staging.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { storedAudio } from "./support/factories.ts";

/** Files without a stored hash, as in a new database on the old bucket. The free plan has no time to read large ones. */

const onPlan = (ctx: Context, plan: "free" | "paid"): Context => ({
  ...ctx,
  config: { ...ctx.config, plan },
});

/** The keys of files that are read with this context. */
function readsOf(ctx: Context) {
  const read: string[] = [];
  const media = new Proxy(ctx.media, {
    get(bucket, name) {
      const call = (Reflect.get(bucket, name) as (...args: unknown[]) => unknown).bind(bucket);
      if (name !== "get") return call;
      return (key: string) => {
        if (key.startsWith("podcast-audio/")) read.push(key);
        return call(key);
      };
    },
  });
  return { ctx: { ...ctx, media }, read };
}

const small: { key: string; size: number }[] = [];
let large: { key: string; size: number };
const { db } = jobContext();

beforeEach(async () => {
  if (small.length === 0) {
    for (let n = 0; n < 3; n++) {
      const { key } = await storedAudio({ bytes: new Uint8Array(1000 + n).fill(n) });
      small.push({ key, size: 1000 + n });
    }
    const size = MOST_HASHED_FREE + 1;
    const { key } = await storedAudio({ bytes: new Uint8Array(size).fill(9) });
    large = { key, size };
  }
  await db.delete(objectHashes);
});

describe("a restore", () => {
  type Line = { key: string; size: number; sha256?: string | null };
  const IMPORT = 1;

  /** Compares the files of a list step by step, as messages do. */
  async function compared(plan: "free" | "paid", lines: Line[]) {
    const text = lines
      .map(({ key, size, sha256 = "0".repeat(64) }) => ({ key, bytes: size, sha256, http: {}, custom: {} }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
    const hash = createHash("sha256").update(text).digest("hex");
    await jobContext().media.put(stagedKey(IMPORT, 1), text);
    const facts = { rows: lines.length, bytes: text.length, sha256: hash };
    const steps: { reads: number; saves: number }[] = [];
    for (let saved: unknown = null; ;) {
      const { ctx, read } = readsOf(onPlan(jobContext(), plan));
      let saves = 0;
      const outcome = await restorePiece(ctx, {
        id: 1,
        importId: IMPORT,
        key: "piece-1",
        title: OBJECTS,
        payload: { step: "piece", of: OBJECTS, number: 1, ...facts },
        details: { tables: [], objects: { file: OBJECTS } },
        saved,
        save: async (progress) => {
          saved = structuredClone(progress);
          saves++;
          return true;
        },
      });
      steps.push({ reads: read.length, saves });
      if (outcome.is !== "more") return { outcome, steps };
    }
  }

  const hashOf = ({ size }: Line, value: number) =>
    createHash("sha256").update(new Uint8Array(size).fill(value)).digest("hex");

  it("reads one file a message on the free plan, none that is large, and reports its size as compared", async () => {
    const lines = [
      { ...large, sha256: hashOf(large, 9) },
      ...small.map((file, n) => ({ ...file, sha256: hashOf(file, n) })),
    ];
    const { outcome, steps } = await compared("free", lines);
    expect(outcome).toMatchObject({
      is: "done",
      message: `Not compared, but of the archive’s size: ${large.key}.`,
      result: JSON.stringify({ other: 0, unread: 1 }),
    });
    expect(steps).toEqual([
      { reads: 1, saves: 1 },
      { reads: 1, saves: 1 },
      { reads: 1, saves: 0 },
    ]);
  });

  it("finds a large file of another size without reading it", async () => {
    const { outcome, steps } = await compared("free", [{ ...large, size: large.size + 1 }]);
    expect(outcome).toMatchObject({ message: `Different from the archive’s: ${large.key}.` });
    expect(steps).toEqual([{ reads: 0, saves: 0 }]);
  });

  it("saves its progress after each file that it has read", async () => {
    const { outcome, steps } = await compared("paid", [large, ...small]);
    expect(outcome).toMatchObject({ is: "done", result: JSON.stringify({ other: 4, unread: 0 }) });
    expect(steps).toEqual([{ reads: 4, saves: 3 }]);
  });

  it("compares a hundred files of a long list in a message", async () => {
    const { size } = small[0]!;
    const lines = Array.from({ length: 250 }, (_, n) => ({ key: `podcast-audio/missing/${n}.mp3`, size }));
    const { outcome, steps } = await compared("paid", lines);
    expect(outcome).toMatchObject({ is: "done", result: JSON.stringify({ other: 250, unread: 0 }) });
    expect(steps).toHaveLength(3);
  });

  it("compares the size of a file whose hash the archive does not have", async () => {
    const { outcome } = await compared("paid", [{ ...small[0]!, sha256: null }]);
    expect(outcome).toMatchObject({ result: JSON.stringify({ other: 0, unread: 1 }) });
  });
});

describe("the export on the free plan", () => {
  it("reads one file a piece, and lists a large one without its hash", async () => {
    const hashes = new Map<string, string | null>();
    const { permit } = await readOutline(onPlan(ownerContext(), "free"));
    for (let after: string | undefined; ;) {
      const { ctx, read } = readsOf(onPlan(ownerContext(), "free"));
      const { text, next } = await readPiece(ctx, {
        file: OBJECTS,
        permit,
        ...(after !== undefined && { after }),
      });
      expect(read.length).toBeLessThanOrEqual(1);
      for (const line of text.split("\n").filter(Boolean)) {
        const { key, sha256 } = JSON.parse(line) as { key: string; sha256: string | null };
        hashes.set(key, sha256);
      }
      if (next === null) break;
      after = next;
    }
    expect(hashes.get(large.key)).toBeNull();
    for (const { key } of small) expect(hashes.get(key)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("has no file without a hash in its zips, reads none to list them, and lists them for the browser", async () => {
    const { ctx, read } = readsOf(onPlan(ownerContext(), "free"));
    const { items, unread } = await listFilesParts(ctx);
    expect(items).toEqual([]);
    expect(unread.map(({ key, bytes, sha256 }) => [key, bytes, sha256])).toEqual(
      [large, ...small].map(({ key, size }) => [key, size, null]).toSorted(),
    );
    expect(read).toEqual([]);
  });
});

it("the tick hashes all files but the large ones on the free plan, and then has nothing to do", async () => {
  const later = onPlan(jobContext({ now: new Date(Date.now() + 86_400_000) }), "free");
  for (let n = 0; n < 3; n++) expect(await hashFiles(later)).toBe(true);
  expect(await hasUnhashedFiles(later)).toBe(false);
  expect((await db.select().from(objectHashes)).map(({ key }) => key).toSorted()).toEqual(
    small.map(({ key }) => key).toSorted(),
  );
});
