import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { parseDocument } from "yaml";
import { Unreadable } from "./items.ts";

type Fields = Record<string, unknown>;
/** `body` is the text behind the front matter. */
type Parts = { fields: Fields; body: string };

const YAML = /^---(?:[ \t]*ya?ml)?[ \t]*\n(.*?\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)(.*)$/s;
const TOML = /^(?:\+\+\+|---[ \t]*toml)[ \t]*\n(.*?\n)??(?:\+\+\+|---)[ \t]*(?:\n|$)(.*)$/s;
const FENCED_JSON = /^(?:;;;|---[ \t]*json)[ \t]*\n(.*?\n)??(?:;;;|---)[ \t]*(?:\n|$)(.*)$/s;
/** The start of front matter, valid or not. */
const OPENING =
  /^(?:---(?:[ \t]*(?:ya?ml|toml|json))?[ \t]*\n\s*(?:[\w-]+[ \t]*[:=]|\{)|\+\+\+[ \t]*\n|;;;[ \t]*\n)/;
const HEADING =
  /^\s*(?:#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|$)|(?![-*+>#`|]|\d+[.)])(\S[^\n]*?)[ \t]*\n=+[ \t]*(?:\n|$))/;

/**
 * The fields and the text of a Markdown file. Front matter is YAML between lines of ---, TOML between lines of +++, as Hugo
 * and Zola have it, or a JSON object, as Hugo and Hexo do. Without a title in it, a heading above the text is the title; one that says the same as the title is left out.
 * @throws {Unreadable}
 */
export function readMarkdown(file: string): Fields {
  const { fields, body } = partsOf(file.replaceAll(/\r\n?/g, "\n").replace(/^\s*\n(?=---|\+\+\+|\{)/, ""));
  const [line = "", ...headings] = HEADING.exec(body) ?? [];
  const heading = headings.find((each) => each !== undefined);
  if (heading !== undefined && (fields["title"] ?? heading) === heading)
    return { ...fields, title: heading, content: body.slice(line.length) };
  return { ...fields, content: body };
}

function partsOf(text: string): Parts {
  const toml = TOML.exec(text);
  if (toml) return { fields: readToml(toml[1] ?? ""), body: toml[2]! };
  const json = FENCED_JSON.exec(text);
  if (json) return { fields: readJson(json[1] ?? ""), body: json[2]! };
  const yaml = YAML.exec(text);
  if (yaml) return { fields: readYaml(yaml[1] ?? ""), body: yaml[2]! };
  if (OPENING.test(text)) throw new Unreadable("The front matter has no end. The file may be cut off.");
  return fromObject(text) ?? { fields: {}, body: text };
}

/** A file that begins with a JSON object, followed by the text. Null for any other. */
function fromObject(text: string): Parts | null {
  if (!/^\{\s*"/.test(text)) return null;
  const end = endOfObject(text);
  if (end < 0) throw new Unreadable("The front matter has no end. The file may be cut off.");
  return {
    fields: readJson(text.slice(0, end)),
    body: text.slice(end).replace(/^[ \t]*\n?(?:;;;[ \t]*\n)?/, ""),
  };
}

/** The end of the JSON object at the start of a text; -1 if there is none. */
function endOfObject(text: string) {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === "{") depth++;
    else if (token === "}" && --depth === 0) return index + 1;
  }
  return -1;
}

function readJson(head: string): Fields {
  try {
    return objectOf(JSON.parse(head));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`The front matter isn’t valid JSON: ${(error as Error).message}`);
  }
}

function readToml(head: string): Fields {
  try {
    return plainDates(parseToml(head)) as Fields;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Its first line is the message; the others show the position.
    const [what] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Unreadable(
      `The front matter isn’t valid TOML: ${what} at line ${error.line}, column ${error.column}.`,
    );
  }
}

/** Dates as text, with the zone that they name or without one. */
function plainDates(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainDates(each)]));
}

function readYaml(head: string): Fields {
  const document = parseDocument(head.replace(/\n$/, ""), { prettyErrors: true, merge: true });
  const [error] = document.errors;
  // Its first line is the message and position; the others show the source.
  if (error)
    throw new Unreadable(
      `The front matter isn’t valid YAML: ${error.message.split("\n")[0]?.replace(/:$/, ".")}`,
    );
  const parsed: unknown = toJs(document);
  return parsed === null ? {} : objectOf(parsed);
}

function toJs(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Of aliases that grow without end.
    if (error instanceof ReferenceError)
      throw new Unreadable("The front matter has too many repeated aliases.");
    throw error;
  }
}

function objectOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Unreadable("The front matter has no fields.");
  return value as Fields;
}
