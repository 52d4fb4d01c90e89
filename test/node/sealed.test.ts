import { describe, expect, test } from "vitest";
import {
  isSealedNow,
  keySecretsOf,
  requireUnsealed,
  readablePrefixes,
  seal,
  SHORTEST_KEY_SECRET,
  unseal,
} from "#worker/platform/data/sealed.ts";

const SECRET = "a".repeat(SHORTEST_KEY_SECRET);
const OTHER = "b".repeat(SHORTEST_KEY_SECRET);
const withSecrets = (...keySecrets: string[]) => ({ config: { keySecrets } });
const ctx = withSecrets(SECRET);

describe("a sealed value", () => {
  test("can be read with the secret that encrypted it, and does not contain the text", async () => {
    const stored = await seal(ctx, "purpose", "whsec_ein Schlüssel");
    expect(stored).toMatch(/^sealed:[\w-]{8}:[\w-]+$/);
    expect(stored).not.toContain("whsec");
    expect(await unseal(ctx, "purpose", stored)).toBe("whsec_ein Schlüssel");
  });

  test("differs each time, so that equal texts cannot be recognised", async () => {
    expect(await seal(ctx, "purpose", "same")).not.toBe(await seal(ctx, "purpose", "same"));
  });

  test.each([
    ["without the secret", withSecrets()],
    ["with another secret", withSecrets(OTHER)],
  ])("cannot be read %s", async (_, other) => {
    const stored = await seal(ctx, "purpose", "text");
    expect(await unseal(other, "purpose", stored)).toBeNull();
    await expect(requireUnsealed(other, "purpose", stored)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("KEY_SECRET"),
    });
  });

  test("cannot be read in a column with another purpose", async () => {
    expect(await unseal(ctx, "totp", await seal(ctx, "webhook", "text"))).toBeNull();
  });

  test("cannot be read if it was changed or cut off", async () => {
    const stored = await seal(ctx, "purpose", "text");
    const end = stored.endsWith("A") ? "B" : "A";
    expect(await unseal(ctx, "purpose", `${stored.slice(0, -3)}${end}${stored.slice(-2)}`)).toBeNull();
    expect(await unseal(ctx, "purpose", stored.slice(0, -8))).toBeNull();
    expect(await unseal(ctx, "purpose", stored.slice(0, 20))).toBeNull();
  });

  test("of a former secret can be read until it is sealed by the current one", async () => {
    const stored = await seal(withSecrets(OTHER), "purpose", "text");
    const both = withSecrets(SECRET, OTHER);
    expect(await unseal(both, "purpose", stored)).toBe("text");
    expect(await isSealedNow(both, stored)).toBe(false);
    const again = await seal(both, "purpose", "text");
    expect(await isSealedNow(both, again)).toBe(true);
    expect(await unseal(ctx, "purpose", again)).toBe("text");
    expect((await readablePrefixes(both)).map((prefix) => stored.startsWith(prefix))).toEqual([false, true]);
  });
});

describe("a plain value", () => {
  test("is stored without a secret, and read with and without one", async () => {
    const stored = await seal(withSecrets(), "purpose", "text");
    expect(stored).toBe("text");
    expect(await requireUnsealed(withSecrets(), "purpose", stored)).toBe("text");
    expect(await unseal(ctx, "purpose", stored)).toBe("text");
    expect(await isSealedNow(withSecrets(), stored)).toBe(true);
    expect(await isSealedNow(ctx, stored)).toBe(false);
  });
});

describe("KEY_SECRET", () => {
  test.each([
    [undefined, [], false],
    ["", [], false],
    [SECRET, [SECRET], false],
    [`${SECRET}, ${OTHER}`, [SECRET, OTHER], false],
    ["short", [], true],
    [`${SECRET},short`, [SECRET], true],
  ])("%j has the secrets %j; one too short to be used: %j", (value, keySecrets, hasShortKeySecret) => {
    expect(keySecretsOf(value)).toEqual({ keySecrets, hasShortKeySecret });
  });
});
