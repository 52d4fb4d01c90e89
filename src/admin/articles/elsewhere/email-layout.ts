import type { ElementContent, Root } from "hast";
import { element, find, property, replace } from "./tree.ts";

const LAYOUT = new Set(["table", "tbody", "thead", "tfoot", "tr", "td"]);

/** The text of an email, which stands in tables within tables, without them. A table with headings is one of the text. */
export function withoutLayout(tree: Root): Root {
  const blocks = find(tree, (node) => property(node, "id") === "content-blocks");
  const text: Root = { type: "root", children: blocks ? blocks.children : tree.children };
  replace(text, (node): ElementContent[] | null => {
    if (node.tagName === "table" && find(node, ({ tagName }) => tagName === "th")) return [node];
    if (!LAYOUT.has(node.tagName)) return null;
    const inner: Root = { type: "root", children: node.children };
    return [element("div", {}, withoutLayout(inner).children as ElementContent[])];
  });
  return text;
}
