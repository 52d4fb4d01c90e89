import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#worker/platform/errors.ts";
import type { NewVenture } from "#worker/ventures/contract.ts";
import { ventures } from "#worker/ventures/table.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { listActiveVentures } from "#worker/ventures/queries.ts";
import { contextOf, ownerContext, visitorContext } from "./support/client.ts";
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
  it("shows the active ones in the owner's order, older first where that is equal", async () => {
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
  it("is a building, active, at 0 and without an address unless it says otherwise", async () => {
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
    const person = { kind: "user", id: "u", email: "u@example.com", fullName: "U", sessionId: "s" } as const;
    await createVenture(contextOf({ ...person, role: "editor" }), aVenture({ name: "By an editor" }));
    for (const ctx of [visitorContext(), contextOf({ ...person, role: "user" })]) {
      await expect(createVenture(ctx, aVenture())).rejects.toThrow(AppError);
    }
    expect(await namesShown()).toEqual(["By an editor"]);
  });
});
