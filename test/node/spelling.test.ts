import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const american =
  /\b(favorit|organiz|recogniz|apologiz|summariz|customiz|behavior|color\b|colors\b|center\b|catalog\b)/i;

/** The words between the quotes or tags of a line: more than one, or one that begins with a capital. */
const wordsOf = (line: string) =>
  [...line.matchAll(/["`>]([^"`<>{}=]+)["`<]|^\s+([A-Z][^"`<>{}=()]+)$/g)]
    .map(([, within, alone]) => (within ?? alone ?? "").trim())
    .filter((words) => /^[A-Z][a-z]+$|[A-Za-z] [a-z]/.test(words) && !/[-:;[\]/]\S|_/.test(words));

test("the interface is written in Australian spelling, which useSpelling changes for en-US", () => {
  const found = globSync(["src/{site,shell,player,playlists,ui}/**/*.{ts,tsx}", "demo/*.json"]).flatMap(
    (file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => !/^\s*(\/\/|\*|\/\*|import )/.test(line))
        .flatMap(wordsOf)
        .filter((words) => american.test(words))
        .map((words) => `${file}: ${words}`),
  );
  expect(found).toEqual([]);
});
