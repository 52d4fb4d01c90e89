import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { inWords, languageTag, line, lines } from "#worker/platform/contract.ts";
import { readForm } from "#site/admin/form/read.ts";
import { fetchSite, signedIn } from "./support/client.ts";
import { anEpisode, aShow } from "./support/factories.ts";

type Module = Record<string, unknown>;
const modules = import.meta.glob<Module>(["../worker/*/contract.ts", "../worker/*/*/contract.ts"], {
  eager: true,
});

/** Every schema that a contract exports, by its file and name; also those in a record of schemas. */
const schemas = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, value]) =>
    (value instanceof z.ZodType ? [value] : Object.values(value ?? {}))
      .filter((schema): schema is z.ZodType => schema instanceof z.ZodType)
      .map((schema) => [`${path} ${name}`, schema] as const),
  ),
);

const BAD = [
  undefined,
  null,
  true,
  NaN,
  -1,
  1.5,
  1e12,
  1e300,
  "",
  " ",
  "no such thing",
  "\u202e",
  "a".repeat(700_000),
  [],
  {},
  { unknown: 1 },
];

/** Values that a schema is likely to refuse: for itself, and for each position within it. */
function badFor(schema: z.ZodType): unknown[] {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    return [...BAD, ...shape.flatMap(([key, field]) => badFor(field).map((value) => ({ [key]: value })))];
  }
  if (schema instanceof z.ZodArray) {
    const element = badFor(schema.element as z.ZodType);
    return [...BAD, ...element.map((value) => [value]), Array.from({ length: 2000 }, () => null)];
  }
  if (schema instanceof z.ZodUnion) {
    return [...BAD, ...schema.options.flatMap((option) => badFor(option as z.ZodType))];
  }
  const inner =
    (schema.def as { innerType?: z.ZodType; in?: z.ZodType }).innerType ??
    (schema.def as { in?: z.ZodType }).in;
  return inner ? badFor(inner) : BAD;
}

const zodsOwn = z.locales.en().localeError;

describe("a contract's message for invalid input", () => {
  it.each(schemas)("is a sentence in %s", (_name, schema) => {
    for (const value of badFor(schema)) {
      const { error } = schema.safeParse(value, { error: inWords, reportInput: true });
      for (const issue of error?.issues ?? []) {
        expect(issue.message).not.toBe(zodsOwn(issue as Parameters<typeof zodsOwn>[0]));
        expect(issue.message).not.toMatch(
          /expected|received|Invalid input|Too (small|big)|pattern|NaN|undefined/,
        );
        expect(issue.message).toMatch(/^[“\p{Lu}].*[\p{L}.)]$/su);
      }
    }
  });

  it("is the API's answer for a body, a path and a query", async () => {
    const { api } = await signedIn("editor");
    const answer = await api.episodes.$post({ json: { ...anEpisode(), chapters: "none" } as never });
    expect(await answer.json()).toMatchObject({ error: { message: "Give a list.", field: "chapters" } });
    const query = await fetchSite("/api/episodes?page=2");
    expect(await query.json()).toMatchObject({ error: { message: "There’s no field “page” here." } });
    const path = await fetchSite("/api/episodes/0");
    expect(await path.json()).toMatchObject({ error: { message: "More than 0.", field: "id" } });
  });

  it("is shown by a form beside the field", () => {
    const schema = z.strictObject({ price: z.int().max(10) });
    const form = new FormData();
    form.set("price", "11");
    const read = readForm(form, { schema, fields: { price: (from) => Number(from.get("price")) } });
    expect(read).toEqual({ errors: { fields: { price: "At most 10." } } });
  });
});

describe("a text", () => {
  const messageOf = (schema: z.ZodType, text: string) => schema.safeParse(text).error?.issues[0]?.message;

  test.each([
    ["a null", "Wom\0bats"],
    ["a bell", "Wom\u0007bats"],
    ["a C1 control", "Wom\u0085bats"],
    ["a tab", "Wom\tbats"],
    ["a direction override", "Wom\u202ebats"],
    ["an isolate", "Wom\u2067bats"],
    ["half a surrogate pair", "Wom\ud83dbats"],
    ["a noncharacter", "Wom\uffffbats"],
  ])("a single-line field refuses %s at its position", (_what, text) => {
    const code = text.charCodeAt(3).toString(16).toUpperCase().padStart(4, "0");
    expect(messageOf(line(100), text)).toBe(
      `There’s an invisible character after “Wom” (U+${code}). Type it again without it.`,
    );
  });

  test.each(["\n", "\r\n", "\u2028", "\u2029"])(
    "of one line is refused with a line break: %j",
    (lineBreak) => {
      expect(messageOf(line(100), `Of${lineBreak}wombats`)).toBe(
        "This must be on one line: it has a line break after “Of”.",
      );
    },
  );

  test("of several lines may break and indent, and have nothing else that is invisible", () => {
    const text = "Of wombats\r\n\tand leases\n\u2029At last";
    expect(lines(100).parse(text)).toBe(text);
    expect(messageOf(lines(100), "Of\u202e wombats")).toMatch(/U\+202E/);
  });

  test("may be of any language, with emoji, joiners and marks of direction", () => {
    const texts = [
      "日本語",
      "عربي \u200fA",
      "👩🏽‍🚀 \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
      "ភាសា\u200bខ្មែរ",
      "it’s –",
    ];
    for (const text of texts) expect(line(100).parse(text)).toBe(text);
  });

  test("that shows nothing is empty", () => {
    for (const text of ["", " ", "\u200b", "\u200b\u2060 \ufeff"]) {
      expect(messageOf(line(100).min(1, "Title is required"), text)).toBe("Title is required");
    }
  });
});

describe("a language", () => {
  test.each([
    ["en-au", "en-AU"],
    [" DE ", "de"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["es-419", "es-419"],
  ])("%j is written %s", (given, canonical) => expect(languageTag.parse(given)).toBe(canonical));

  test.each(["", "English", "en_AU", "xx", "en-XX", "en-AU-u-ca-buddhist", "x-klingon", "en-", "de-DE-DE"])(
    "%j is not valid",
    (tag) =>
      expect(languageTag.safeParse(tag).error?.issues[0]?.message).toBe(
        "Enter a language code such as en-AU.",
      ),
  );
});

test("titles and names of episodes and the show refuse invisible characters", async () => {
  const { api } = await signedIn("editor");
  const title = "Plain\u202e Ground";
  const chapters = [{ start: 0, title }];
  for (const [change, field] of [
    [{ title }, "title"],
    [{ imageAlt: title }, "imageAlt"],
    [{ chapters }, "chapters.0.title"],
    [{ people: [{ name: title }] }, "people.0.name"],
    [{ soundbites: [{ start: 0, duration: 20, title }] }, "soundbites.0.title"],
  ] as const) {
    const answer = await api.episodes.$post({ json: { ...anEpisode(), ...change } as never });
    expect(await answer.json()).toMatchObject({ error: { field } });
  }
  for (const field of ["title", "subtitle", "author", "ownerName", "copyright", "updateFrequency"]) {
    const answer = await api.show.$put({ json: aShow({ [field]: title }) });
    expect(await answer.json()).toMatchObject({ error: { field } });
  }
});
