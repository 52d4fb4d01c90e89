import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#worker/platform/errors.ts";
import { MOST_VENTURES, type NewVenture } from "#worker/ventures/contract.ts";
import { ventures } from "#worker/ventures/table.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import { listVentures, readNewVenture, readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { listActiveVentures } from "#worker/ventures/queries.ts";
import { contextAs, fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { storedAudio, storedImage, unique } from "./support/factories.ts";

const aVenture = (overrides: Partial<NewVenture> = {}): NewVenture => ({
  name: `Venture ${unique()}`,
  description: "What it does.",
  ...overrides,
});

const namesShown = async () => (await listActiveVentures(visitorContext())).map(({ name }) => name);

beforeEach(async () => {
  await ownerContext().db.delete(ventures);
});

describe("the list of ventures", () => {
  it("shows the active ones in the owner's order, older first if that is equal", async () => {
    const owner = ownerContext();
    await createVenture(owner, aVenture({ name: "Third", sortOrder: 2 }));
    await createVenture(owner, aVenture({ name: "First", sortOrder: -1 }));
    await createVenture(owner, aVenture({ name: "Fourth", sortOrder: 2 }));
    await createVenture(owner, aVenture({ name: "Hidden", sortOrder: 0, active: false }));
    await createVenture(owner, aVenture({ name: "Second", sortOrder: 1 }));
    expect(await namesShown()).toEqual(["First", "Second", "Third", "Fourth"]);
  });

  it("is read in one statement, with the pictures", async () => {
    const picture = await storedImage({ width: 1200, height: 800 });
    await createVenture(ownerContext(), aVenture({ imageFileId: picture.id }));
    await createVenture(ownerContext(), aVenture());
    const ctx = visitorContext();
    const [first, second] = await listActiveVentures(ctx);
    expect(ctx.d1.statements).toBe(1);
    expect(first?.picture).toMatchObject({ src: `/media/${picture.key}`, width: 1200, height: 800, alt: "" });
    expect(second?.picture).toBeNull();
  });
});

describe("a new venture", () => {
  it("is a building, active, at 0 if it is the first, and without an address unless it says otherwise", async () => {
    await createVenture(ownerContext(), aVenture({ name: "Plain", url: "" }));
    expect(await listActiveVentures(visitorContext())).toEqual([
      expect.objectContaining({ name: "Plain", icon: "Building", url: null, picture: null }),
    ]);
    const [row] = await ownerContext().db.select().from(ventures);
    expect(row).toMatchObject({ active: true, sortOrder: 0 });
  });

  it.each([
    [{ name: " " }, "Name is required"],
    [{ description: "" }, "Description is required"],
    [{ url: "javascript:alert(1)" }, "Enter a full address, such as https://example.com/page."],
    [{ name: "n".repeat(121) }, "A name has at most 120 characters."],
    [{ sortOrder: 1.5 }, "Sort order must be a whole number of at most a million."],
    [{ sortOrder: 1e9 }, "Sort order must be a whole number of at most a million."],
    [{ description: "d".repeat(601) }, "A description has at most 600 characters."],
  ])("is refused with %o", async (overrides, message) => {
    await expect(createVenture(ownerContext(), aVenture(overrides))).rejects.toThrow(message);
    expect(await namesShown()).toEqual([]);
  });

  it("takes only a picture that was uploaded", async () => {
    const audio = await storedAudio();
    for (const imageFileId of [audio.id, crypto.randomUUID()]) {
      await expect(createVenture(ownerContext(), aVenture({ imageFileId }))).rejects.toMatchObject({
        code: "invalid",
        field: "imageFileId",
      });
    }
  });

  it("is for editors to make", async () => {
    await createVenture(contextAs("editor"), aVenture({ name: "By an editor" }));
    for (const ctx of [visitorContext(), contextAs("user")]) {
      await expect(createVenture(ctx, aVenture())).rejects.toThrow(AppError);
    }
    expect(await namesShown()).toEqual(["By an editor"]);
  });
});

describe("a change of a venture", () => {
  it("leaves missing fields unchanged, and clears empty ones", async () => {
    const ctx = ownerContext();
    const picture = await storedImage();
    const url = "https://saltbush.example/";
    const { id } = await createVenture(
      ctx,
      aVenture({ url, icon: "Globe", sortOrder: 7, imageFileId: picture.id }),
    );
    await updateVenture(ctx, id, { name: "Renamed" });
    expect(await readVentureForEdit(ctx, id)).toMatchObject({
      values: { name: "Renamed", url, icon: "Globe", sortOrder: 7, active: true },
      image: { id: picture.id },
    });
    await updateVenture(ctx, id, { url: "", imageFileId: null });
    expect(await readVentureForEdit(ctx, id)).toMatchObject({ values: { url: null }, image: null });
  });

  it("is refused when the venture was changed since it was opened", async () => {
    const ctx = ownerContext();
    const { id, updatedAt } = await createVenture(ctx, aVenture());
    const { updatedAt: newer } = await updateVenture(ctx, id, { name: "Theirs", basedOn: updatedAt });
    expect(newer).toBeGreaterThan(updatedAt);
    await expect(updateVenture(ctx, id, { name: "Mine", basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await updateVenture(ctx, id, { name: "Mine" })).values.name).toBe("Mine");
  });
});

describe("the order", () => {
  const three = async () => {
    const ids: number[] = [];
    for (const name of ["A", "B", "C"])
      ids.push((await createVenture(ownerContext(), aVenture({ name }))).id);
    return ids as [number, number, number];
  };

  it("is numbered from 1, shown to visitors, and a new venture is last", async () => {
    const [a, b, c] = await three();
    const { items } = await reorderVentures(ownerContext(), { ids: [c, a, b] });
    expect(items.map(({ name, sortOrder }) => [name, sortOrder])).toEqual([
      ["C", 1],
      ["A", 2],
      ["B", 3],
    ]);
    await createVenture(ownerContext(), aVenture({ name: "New" }));
    expect(await namesShown()).toEqual(["C", "A", "B", "New"]);
    await createVenture(ownerContext(), aVenture({ name: "At 0", sortOrder: 0 }));
    expect(await namesShown()).toEqual(["At 0", "C", "A", "B", "New"]);
  });

  it("ends at a million, after which new ventures are sorted by their creation", async () => {
    await createVenture(ownerContext(), aVenture({ name: "Last", sortOrder: 1_000_000 }));
    expect((await readNewVenture(ownerContext())).sortOrder).toBe(1_000_000);
    await createVenture(ownerContext(), aVenture({ name: "New" }));
    expect(await namesShown()).toEqual(["Last", "New"]);
  });

  it("suggests the last position in the form of a new venture", async () => {
    expect((await readNewVenture(ownerContext())).sortOrder).toBe(0);
    await createVenture(ownerContext(), aVenture({ sortOrder: 4 }));
    await createVenture(ownerContext(), aVenture({ sortOrder: 2, active: false }));
    expect((await readNewVenture(ownerContext())).sortOrder).toBe(5);
    await expect(readNewVenture(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it.each([
    ["leaves one out", ([a, b]: number[]) => [b, a]],
    ["names a deleted one", ([a, b, c]: number[]) => [c, b, a, 999_999]],
    ["names one twice", ([a, b]: number[]) => [a, b, b]],
  ])("that %s is refused as a whole", async (_what, order) => {
    const ids = await three();
    const given = order(ids) as number[];
    await expect(reorderVentures(ownerContext(), { ids: given })).rejects.toMatchObject({ code: "conflict" });
    expect(await namesShown()).toEqual(["A", "B", "C"]);
  });

  it("refuses the form of a venture that has moved since, and of no other", async () => {
    const ctx = ownerContext();
    const [a, b, c] = await three();
    await reorderVentures(ctx, { ids: [a, b, c] });
    const opened = await Promise.all([a, c].map((id) => readVentureForEdit(ctx, id)));
    await reorderVentures(ctx, { ids: [a, c, b] });
    const [first, last] = opened.map(
      ({ id, updatedAt: basedOn }) =>
        () =>
          updateVenture(ctx, id, { sortOrder: 3, basedOn }),
    );
    await expect(last!()).rejects.toMatchObject({ code: "conflict" });
    await first!();
  });
});

describe("the admin API of ventures", () => {
  it("lists, creates, reads, changes, orders and deletes", async () => {
    const { cookie } = await signedIn("editor");
    const call = (method: string, path = "", body?: unknown) =>
      fetchSite(`/api/admin/ventures${path}`, {
        method,
        headers: { Cookie: cookie, "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    const created = await call("POST", "", aVenture({ name: "By HTTP", active: false }));
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    expect(await (await call("GET", `/${id}`)).json()).toMatchObject({ id, values: { name: "By HTTP" } });
    const changed = await call("PATCH", `/${id}`, { icon: "Zap" });
    expect([changed.status, await changed.json()]).toMatchObject([200, { values: { icon: "Zap" } }]);
    const list = { items: [expect.objectContaining({ id, icon: "Zap", active: false })], next: null };
    expect(await (await call("GET")).json()).toEqual(list);
    expect((await call("PUT", "/order", { ids: [id] })).status).toBe(200);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
    expect((await call("PATCH", `/${id}`, { icon: "Rocket" })).status).toBe(422);
  });

  it("takes as many as the site shows", async () => {
    const ctx = ownerContext();
    for (let made = 0; made < MOST_VENTURES; made++) await createVenture(ctx, aVenture());
    await expect(createVenture(ctx, aVenture())).rejects.toThrow(
      "You already have 60 ventures. Delete one to make room.",
    );
    // Of two concurrent creations for the last position, one succeeds.
    await deleteVenture(ctx, (await listVentures(ctx)).items[0]!.id);
    const both = await Promise.allSettled([createVenture(ctx, aVenture()), createVenture(ctx, aVenture())]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await namesShown()).toHaveLength(MOST_VENTURES);
    expect((await listVentures(ctx)).items).toHaveLength(MOST_VENTURES);
  });

  it("deletes for visitors too", async () => {
    const { id } = await createVenture(ownerContext(), aVenture());
    await deleteVenture(ownerContext(), id);
    expect(await namesShown()).toEqual([]);
  });
});
