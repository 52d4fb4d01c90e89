import { expect, test } from "vitest";
import { keySecretFor } from "../../scripts/deployment-key-secret.ts";

const LONG = "x".repeat(32);
const nothing = { given: undefined, saved: undefined, secrets: null };

test("a first deployment makes a KEY_SECRET of 256 random bits", () => {
  const made = keySecretFor(nothing);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(keySecretFor(nothing)).not.toBe(made);
});

test("a deployment leaves the Worker's KEY_SECRET as it is, which the owner may have changed since", () => {
  expect(keySecretFor({ ...nothing, saved: LONG, secrets: ["KEY_SECRET"] })).toBeNull();
});

test("a Worker without a KEY_SECRET gets the stored one, and one in the environment replaces it", () => {
  expect(keySecretFor({ ...nothing, saved: LONG, secrets: [] })).toBe(LONG);
  expect(keySecretFor({ given: `${LONG}2,${LONG}`, saved: LONG, secrets: ["KEY_SECRET"] })).toBe(
    `${LONG}2,${LONG}`,
  );
});

test("a KEY_SECRET that is too short to be used stops the deployment", () => {
  expect(() => keySecretFor({ ...nothing, given: `${LONG},short` })).toThrow("at least 32 random characters");
});
