import * as fc from "fast-check";
import type { z } from "zod";

/** Values that a schema accepts, as its own parser judges. */

/** The values of what exists already, by the name of the field that takes them. */
export type Known = Record<string, readonly unknown[]>;

/** What people and forms write, some of it odd. */
const TEXTS = [
  "Words",
  "Two lines\nof words, with “quotes”, <signs> & an apostrophe’s.",
  "*Emphasis*, [a link](https://somewhere.example/page) and `code`",
  "🎙️ ラジオ",
  "עברית and English",
  "e\u0301a\u0308 combined",
  "a".repeat(100),
  "",
  // A name that is never resolved (RFC 2606): some addresses are asked. The other is refused where that would be so.
  "https://somewhere.example/page?a=1#b",
  "linkedin.com/in/somebody",
  "/essays/a-slug",
  "/media/uploads/a-picture.png",
  "a-slug",
  "2026-05-04",
  "2099-05-04",
  "2026-05",
  "-34.93,138.60",
  "urn:li:person:a1B2",
  "AS64500",
  "GTM-ABC1234",
  "09:30",
  // The position of an answer.
  "1",
  "en-AU",
  "Australia/Adelaide",
  "#1f6f5c",
  "AAECAwQF",
  "Long enough, with 1 number",
  "image/png",
  "notes.txt",
  // Of an archive: a table, the file of its rows, an object's key and its hash.
  "articles",
  "data/articles.ndjson",
  "uploads/a-picture.png",
  "0123456789abcdef".repeat(4),
  // Keys and a price of Stripe's.
  "sk_test_abc",
  "whsec_c2VjcmV0",
  "price_abc",
  "WEBVTT\n\n00:00.000 --> 00:02.000\nWords.",
];
const DAY = 86_400_000;
const NUMBERS = [0, 1, 2, 7, 30, 60, 365, 1000, 2048, 0.5, 12.5, -1, 1_760_000_000_000];
const future = () => Date.now() + 30 * DAY;

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** What a schema without parts of its own may be. */
function* candidates(schema: z.ZodType): Generator<fc.Arbitrary<unknown>> {
  const isAny = accepts(schema, TEXTS[0]);
  // A form's key, and an address of which there is one: new ones.
  const uuid = "6f1c1f0e-3b1c-4c57-9d0e-7a3f0f9b2c11";
  if (!isAny && accepts(schema, uuid)) yield fc.uuid();
  if (!isAny && accepts(schema, "someone@example.com"))
    yield fc.integer({ min: 0 }).map((number) => `someone-${number}@example.com`);
  for (const value of [...TEXTS, ...NUMBERS, future(), true, false, null, {}, []])
    if (accepts(schema, value)) yield fc.constant(value);
}

const leaves = new WeakMap<z.ZodType, fc.Arbitrary<unknown>>();

/** @throws if none of the values above fits: then add one that does */
function leafOf(schema: z.ZodType, name: string) {
  const known = leaves.get(schema);
  if (known) return known;
  const found = [...candidates(schema)];
  if (found.length === 0) throw new Error(`There is no value for the field “${name}”.`);
  const leaf = fc.oneof(...found);
  leaves.set(schema, leaf);
  return leaf;
}

type Definition = {
  type: string;
  innerType: z.ZodType;
  in: z.ZodType;
  shape: Record<string, z.ZodType>;
  element: z.ZodType;
  options: z.ZodType[];
  entries: Record<string, unknown>;
  values: unknown[];
  checks?: unknown[];
};

/** Most forms leave most optional fields out. */
const optional = (given: fc.Arbitrary<unknown>, left: unknown) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(left) }, { weight: 1, arbitrary: given });

/** Arbitrary valid values of a schema; a rule between two fields may still refuse some. */
export function valuesOf(schema: z.ZodType, known: Known = {}, name = "body"): fc.Arbitrary<unknown> {
  const fitting = (known[name] ?? []).filter((value) => accepts(schema, value));
  if (fitting.length > 0) return fc.constantFrom(...fitting);
  const of = schema.def as unknown as Definition;
  const inner = () => valuesOf(of.innerType, known, name);
  switch (of.type) {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(of.shape).map(([key, field]) => [key, valuesOf(field, known, key)]),
        ),
      );
    case "array":
      return listsOf(schema, valuesOf(of.element, known, name));
    case "optional":
    case "default":
    case "prefault":
      return optional(inner(), undefined);
    case "nullable":
      return optional(inner(), null);
    case "readonly":
    case "catch":
      return inner();
    case "nonoptional":
      return valuesOf(withoutOptional(of.innerType), known, name);
    case "union":
      return unionOf(of.options, known, name);
    case "enum":
      return fc.constantFrom(...Object.values(of.entries));
    case "literal":
      return fc.constantFrom(...of.values);
    case "pipe":
      return hasParts(of.in) ? valuesOf(of.in, known, name) : leafOf(schema, name);
    default:
      return leafOf(schema, name);
  }
}

const withoutOptional = (schema: z.ZodType) =>
  schema.def.type === "optional" ? (schema.def as unknown as Definition).innerType : schema;

const hasParts = ({ def }: z.ZodType) => ["object", "array", "union", "literal", "enum"].includes(def.type);

/** Of the options for which there is a value: some take only what the site itself made. */
function unionOf(options: z.ZodType[], known: Known, name: string) {
  const faults: unknown[] = [];
  const found = options.flatMap((option) => {
    try {
      return [valuesOf(option, known, name)];
    } catch (fault) {
      faults.push(fault);
      return [];
    }
  });
  if (found.length === 0) throw faults[0];
  return fc.oneof(...found);
}

/** Short lists, of as many entries as the schema wants. */
function listsOf(schema: z.ZodType, elements: fc.Arbitrary<unknown>) {
  const isFit = (length: number) => {
    const { error } = schema.safeParse(Array.from({ length }, () => null));
    return !error?.issues.some(({ path, code }) => path.length === 0 && code.startsWith("too_"));
  };
  const lengths = [0, 1, 2, 3, 7].filter(isFit).slice(0, 3);
  return fc
    .constantFrom(...(lengths.length > 0 ? lengths : [0]))
    .chain((length) => fc.array(elements, { minLength: length, maxLength: length }));
}
