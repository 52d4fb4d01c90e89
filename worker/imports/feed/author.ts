import { textOf, type Node } from "#worker/imports/feed/node.ts";
import { lineOf } from "#worker/imports/feed/values.ts";

const ADDRESS = /[^\s<>()"',;:]+@[^\s<>()"',;:]+/g;

/** Who made it: a name, never the email address that RSS has beside it, as in "wren@a.example (Wren Hollis)". */
export const authorOf = (node: Node) =>
  ["itunes:author", "author", "managingEditor", "dc:creator", "googleplay:author"]
    .map((name) => nameIn(lineOf(textOf(node, name), 255)))
    .find((name) => name !== "") ?? "";

const nameIn = (text: string) =>
  text.includes("@")
    ? text
        .replace(ADDRESS, " ")
        .replace(/\bmailto:/gi, " ")
        .replace(/[<>()"]/g, " ")
        .replace(/\s+/g, " ")
        .replace(/^[\s,;:|-]+|[\s,;:|-]+$/g, "")
    : text;
