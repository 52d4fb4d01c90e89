import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { listFilesParts, openFilesPart } from "#worker/exports/files.ts";
import type { PieceQuery } from "#worker/exports/contract.ts";
import { readOutline, readPiece } from "#worker/exports/pieces.ts";
import type { Context } from "#worker/platform/context.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { contextAs, ownerContext, signedIn } from "./support/client.ts";
import { archived, fillEmptyTables, unzip } from "./support/archives.ts";
import { savedShow, storedImage } from "./support/factories.ts";

const onFreePlan = (): Context => {
  const ctx = ownerContext();
  return { ...ctx, config: { ...ctx.config, plan: "free" } };
};

/** So many minutes later. */
function minutesLater(minutes: number): Context {
  const ctx = onFreePlan();
  return { ...ctx, now: new Date(ctx.now.getTime() + minutes * 60_000) };
}

/** A piece of an export that was just begun. */
async function pieceOf(query: Omit<PieceQuery, "permit">) {
  const { permit } = await readOutline(onFreePlan());
  return readPiece(onFreePlan(), { ...query, permit });
}

/** The whole file, and the statements and requests to R2 of its most expensive piece. */
async function readFile(file: string, permit: string) {
  const sizes: number[] = [];
  const calls: number[] = [];
  let text = "";
  for (let after: string | undefined; ;) {
    const ctx = onFreePlan();
    let requests = 0;
    const media = new Proxy(ctx.media, {
      get(bucket, name) {
        requests++;
        return (Reflect.get(bucket, name) as () => unknown).bind(bucket);
      },
    });
    const piece = await readPiece({ ...ctx, media }, { file, permit, ...(after !== undefined && { after }) });
    calls.push(ctx.d1.statements + requests);
    sizes.push(piece.text.length);
    text += piece.text;
    if (piece.next === null)
      return { text, pieces: calls.length, calls: Math.max(...calls), size: Math.max(...sizes) };
    after = piece.next;
  }
}

describe("the archive in pieces", () => {
  beforeAll(async () => {
    await savedShow({ title: "Plain Ground" });
    for (let n = 0; n < 5; n++)
      await createArticle(ownerContext(), { title: `Essay ${n}`, content: "Some words. ".repeat(12_000) });
    for (let n = 0; n < 27; n++) await storedImage();
    await signedIn("super_admin");
    await fillEmptyTables();
  });

  it("has the rows and files of the export, byte for byte, in pieces below the limits of the free plan", async () => {
    const ctx = onFreePlan();
    const { tables, objects, permit, head: outlined } = await readOutline(ctx);
    const { exportedAt: _, ...head } = outlined;
    // The notice's among them.
    expect(ctx.d1.statements).toBeLessThanOrEqual(14);
    const whole = await unzip(await archived());
    const manifest = JSON.parse(whole.get("manifest.json")!) as Record<string, unknown>;
    // The whole export is logged after the outline.
    const counters = { ...head.counters, security_events: expect.any(Number) };
    expect(manifest).toMatchObject({ ...head, counters });
    expect([...tables.map(({ file }) => file), objects]).toEqual(
      [...whole.keys()].filter((name) => name.startsWith("data/")),
    );
    for (const file of [...tables.map((table) => table.file), objects]) {
      const { text, pieces, calls, size } = await readFile(file, permit);
      if (file === "data/security_events.ndjson") expect(whole.get(file)).toContain(text);
      else expect(text, file).toBe(whole.get(file));
      expect(calls, file).toBeLessThanOrEqual(45);
      expect(size, file).toBeLessThan(500_000);
      if (file === "data/articles.ndjson" || file === objects) expect(pieces).toBeGreaterThan(1);
    }
  });

  it("has another version of the content once a text was added or renamed, or the site updated, and the same otherwise", async () => {
    const versionOf = async () => (await pieceOf({ file: "data/pages.ndjson" })).contentVersion;
    const { contentVersion } = await readOutline(onFreePlan());
    const { id } = await createArticle(ownerContext(), { title: "Added", automatic: true });
    const added = await versionOf();
    await updateArticle(ownerContext(), id, { content: "More words.", automatic: true });
    const saved = await versionOf();
    await updateArticle(ownerContext(), id, { slug: "another" });
    const renamed = await versionOf();
    expect(saved).toBe(added);
    expect(new Set([contentVersion, added, renamed]).size).toBe(3);
    await env.DB.prepare("insert into d1_migrations (name) values ('9999_later.sql')").run();
    expect(await versionOf()).not.toBe(renamed);
    await env.DB.prepare("delete from d1_migrations where name = '9999_later.sql'").run();
  });

  describe("in the log", () => {
    const count = () =>
      env.DB.prepare("select count(*) as count from security_events where kind = 'site_exported'").first(
        "count",
      );

    beforeEach(() => env.DB.prepare("delete from security_events").run());

    it("is logged once if the request that begins it is repeated", async () => {
      await readOutline(onFreePlan());
      await readOutline(onFreePlan());
      expect(await count()).toBe(1);
    });

    it("is not logged again for a piece that is read half an hour later", async () => {
      const { permit } = await readOutline(onFreePlan());
      await readPiece(minutesLater(30), { file: "data/users.ndjson", permit });
      expect(await count()).toBe(1);
    });
  });

  describe("a piece", () => {
    const file = "data/users.ndjson";

    it("is read without another proof, for an hour after the export was begun", async () => {
      const { permit } = await readOutline(onFreePlan());
      expect((await readPiece(minutesLater(59), { file, permit })).text).not.toBe("");
      await expect(readPiece(minutesLater(61), { file, permit })).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("Begin it again in Settings ▸ Export."),
      });
    });

    it("needs an export that was begun, however recent the sign-in is", async () => {
      const others = { purpose: "preview", subject: "owner s", stamp: "archive" };
      for (const permit of ["x", await signLink(ownerContext(), others, 3600)])
        await expect(readPiece(onFreePlan(), { file, permit })).rejects.toMatchObject({ code: "conflict" });
      await expect(readPiece(onFreePlan(), { file } as PieceQuery)).rejects.toMatchObject({
        code: "invalid",
      });
    });

    it("is of the session that began the export, and not of the user’s others", async () => {
      const { permit } = await readOutline(onFreePlan());
      const ctx = onFreePlan();
      const actor = { ...ctx.actor, sessionId: "another" } as Context["actor"];
      await expect(readPiece({ ...ctx, actor }, { file, permit })).rejects.toMatchObject({
        code: "conflict",
      });
      const other = { ...ctx.actor, id: "another" } as Context["actor"];
      await expect(readPiece({ ...ctx, actor: other }, { file, permit })).rejects.toMatchObject({
        code: "conflict",
      });
    });

    it("is not of a list of files that was begun, nor the other way round", async () => {
      const list = await listFilesParts(onFreePlan());
      await expect(readPiece(onFreePlan(), { file, permit: list.permit })).rejects.toMatchObject({
        code: "conflict",
      });
      const { permit } = await readOutline(onFreePlan());
      await expect(openFilesPart(onFreePlan(), 1, { set: list.set, permit })).rejects.toMatchObject({
        code: "conflict",
      });
    });
  });

  it.each([
    ["file", { file: "data/sessions.ndjson" }, "not_found"],
    ["file", { file: "../secret" }, "invalid"],
    ["place", { file: "data/articles.ndjson", after: "1 or 1" }, "invalid"],
    ["folder", { file: "data/objects.ndjson", after: "restoring/x" }, "invalid"],
  ])("refuses another %s: %o", async (_, query, code) => {
    await expect(pieceOf(query)).rejects.toMatchObject({ code });
  });

  it("is refused for an editor", async () => {
    await expect(readOutline(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
    const { permit } = await readOutline(onFreePlan());
    await expect(
      readPiece(contextAs("editor"), { file: "data/articles.ndjson", permit }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("the zips of files on the free plan", () => {
  it("have few enough files for the requests of one invocation", async () => {
    const { length } = (await env.MEDIA.list()).objects;
    expect(length).toBeGreaterThan(25);
    const { items } = await listFilesParts(onFreePlan());
    expect(items.reduce((sum, { files }) => sum + files, 0)).toBe(length);
    expect(Math.max(...items.map(({ files }) => files))).toBe(25);
    const ctx = onFreePlan();
    let gets = 0;
    let lists = 0;
    const media = new Proxy(ctx.media, {
      get(bucket, name) {
        if (name === "get") gets++;
        if (name === "list") lists++;
        return (Reflect.get(bucket, name) as () => unknown).bind(bucket);
      },
    });
    const { set, permit } = await listFilesParts(onFreePlan());
    const { zip } = await openFilesPart({ ...ctx, media }, 1, { set, permit });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    await Promise.all([zip.writeTo(writable, 0, zip.size), new Response(readable).arrayBuffer()]);
    expect(gets).toBe(25);
    expect(gets + lists + ctx.d1.statements).toBeLessThanOrEqual(45);
  });
});
