import type { Element, ElementContent, Root } from "hast";
import { element, find, hasClass, property, replace, text, wordsOf } from "./tree.ts";

/** The text of a post of Medium's: without the subtitle that the article has, its cards as links, its code in its language. */
export function textOfMedium(tree: Root, subtitle: string): Root {
  replace(tree, (node) => {
    if (hasClass(node, /^graf--subtitle$/) && simple(wordsOf(node)) === simple(subtitle)) return [];
    if (hasClass(node, /^graf--mixtapeEmbed$/)) return fromCard(node);
    return node.tagName === "pre" ? fromCode(node) : null;
  });
  return tree;
}

/** Medium leaves the full stop out of one of them, and shortens it. */
const simple = (words: string) =>
  words
    .replaceAll(/\s+/g, " ")
    .replace(/[.…]+\s*$/, "")
    .trim();

function fromCard(node: Element): ElementContent[] | null {
  const href = property(find(node, ({ tagName }) => tagName === "a") ?? node, "href");
  if (href === "") return null;
  const title = find(node, ({ tagName }) => tagName === "strong");
  return [element("p", {}, [element("a", { href }, [text((title && wordsOf(title).trim()) || href)])])];
}

function fromCode(node: Element): ElementContent[] | null {
  const language = property(node, "dataCodeBlockLang");
  if (!/^[\w+#-]{1,30}$/.test(language) || language === "none") return null;
  return [element("pre", {}, [element("code", { className: [`language-${language}`] }, node.children)])];
}
