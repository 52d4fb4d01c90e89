import { expect, it } from "vitest";
import { hideSecret } from "#worker/platform/text/hide-secret.ts";

const KEY = "sk/live+kéy_😀-1";

it.each([
  ["as it is", `Incorrect key: ${KEY}.`],
  ["in JSON", `Incorrect key: ${JSON.stringify(KEY).slice(1, -1)}.`],
  ["in JSON with slashes escaped, as PHP writes it", `Incorrect key: ${KEY.replaceAll("/", "\\/")}.`],
  ["in JSON within JSON", `Incorrect key: ${KEY.replaceAll("/", "\\\\\\/")}.`],
  ["in ASCII, as Python writes JSON", "Incorrect key: sk/live+k\\u00e9y_\\ud83d\\ude00-1."],
  ["in an address", `Incorrect key: ${encodeURIComponent(KEY)}.`],
  ["in an address in lower case", `Incorrect key: ${encodeURIComponent(KEY).toLowerCase()}.`],
])("hides a secret that is written %s", (_, text) => {
  expect(hideSecret(text, KEY)).toBe("Incorrect key: ….");
});

it("changes nothing without a secret, and no other words", () => {
  expect(hideSecret("a key", "")).toBe("a key");
  expect(hideSecret("sk/live+kéy", KEY)).toBe("sk/live+kéy");
});

it.each([
  ["backslashes", "\\", "\\/".repeat(250)],
  ["the beginning of the secret", "s", `${"s".repeat(499)}t`],
])("is done with 2,000 characters of %s in a few seconds", (_, character, secret) => {
  const started = performance.now();
  hideSecret(character.repeat(2000), secret);
  expect(performance.now() - started).toBeLessThan(5_000);
});
