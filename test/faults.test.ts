import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createCategory } from "#worker/articles/commands.ts";
import { categories } from "#worker/articles/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { jobContext } from "./support/client.ts";
import { faultAt, faultyBindings, outageFrom, type Fault } from "./support/faults.ts";

const names = async () => (await jobContext().db.select().from(categories)).map(({ name }) => name);

function contextWith(faultOf: Parameters<typeof faultyBindings>[1]) {
  const { env: faulty, calls } = faultyBindings(env, faultOf);
  return { ctx: createContext(faulty, { actor: { kind: "job", name: "test" } }), calls };
}

describe("faulty bindings", () => {
  it("work like the others without a fault, and list each call with the tables that it changed", async () => {
    const { ctx, calls } = contextWith(() => undefined);
    const { id } = await createCategory(ctx, { name: "Whole" });
    expect(id).toBeGreaterThan(0);
    await ctx.kv.put("whole", "1");
    expect(await ctx.kv.get("whole")).toBe("1");
    expect(calls.map(({ binding }) => binding)).toEqual([...calls.slice(2).map(() => "DB"), "KV", "KV"]);
    expect(calls.flatMap(({ changed }) => changed)).toContain("categories");
    expect(calls.map(({ index }) => index)).toEqual([...calls.keys()]);
  });

  it.each<[Fault, isWritten: boolean]>([
    ["before", false],
    ["after", true],
    ["crash", true],
  ])("fail a write %s its effect", async (fault, isWritten) => {
    const name = `Fault ${fault}`;
    const { ctx, calls } = contextWith(({ queries }) =>
      queries.some((query) => /insert into "categories"/.test(query)) ? fault : undefined,
    );
    await expect(createCategory(ctx, { name })).rejects.toThrow();
    expect((await names()).includes(name)).toBe(isWritten);
    const later = ctx.kv.get("later");
    if (fault === "crash") await expect(later).rejects.toThrow("KV.get");
    else expect(await later).toBeNull();
    expect(calls.length).toBeGreaterThan(1);
  });

  it("never answer a call that hangs", async () => {
    const { ctx } = contextWith(faultAt(0, "hang"));
    const waited = new Promise((resolve) => setTimeout(() => resolve("waited"), 50));
    expect(await Promise.race([ctx.kv.get("any"), waited])).toBe("waited");
  });

  it("fail each part of an upload", async () => {
    const { ctx } = contextWith(outageFrom(1));
    const upload = await ctx.media.createMultipartUpload("faulty/part");
    await expect(upload.uploadPart(1, "text")).rejects.toThrow("MEDIA.uploadPart");
    const resumed = ctx.media.resumeMultipartUpload("faulty/part", upload.uploadId);
    await expect(resumed.abort()).rejects.toThrow("MEDIA.abort");
  });
});
