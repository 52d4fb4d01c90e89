import type { Element, ElementContent } from "hast";
import type { BlockContent, DefinitionContent, FootnoteDefinition, FootnoteReference } from "mdast";
import type { Options } from "rehype-remark";
import { element, find, hasClass, property, replace, wordsOf, type Parent } from "./tree.ts";

/** Custom elements that become footnotes in Markdown. */
const REFERENCE = "footnote-reference";
const DEFINITION = "footnote-definition";

/** Marks the footnotes of Substack and WordPress, which are links to an anchor further down. */
export function markFootnotes(tree: Parent) {
  const defined = new Set<string>();
  replace(tree, (node) => {
    const definition = definitionOf(node);
    if (definition) defined.add(String(definition.properties["id"]));
    return definition && [definition];
  });
  replace(tree, (node) => {
    const id = referenceOf(node);
    return id !== null && defined.has(id) ? [element(REFERENCE, { id })] : null;
  });
}

function referenceOf(node: Element) {
  if (node.tagName === "a" && hasClass(node, /^footnote-anchor$/)) return wordsOf(node).trim();
  if (node.tagName === "sup" && hasClass(node, /^fn$/)) return property(node, "dataFn");
  return null;
}

function definitionOf(node: Element): Element | null {
  if (node.tagName === "div" && hasClass(node, /^footnote$/)) {
    const number = find(node, (each) => hasClass(each, /^footnote-number$/));
    const content = find(node, (each) => hasClass(each, /^footnote-content$/));
    return number && content ? made(wordsOf(number).trim(), content.children) : null;
  }
  const id = property(node, "dataFootnote");
  return id === "" ? null : made(id, node.children);
}

const made = (id: string, children: ElementContent[]) => element(DEFINITION, { id }, children);

const idOf = ({ properties }: Element) => String(properties["id"]).replaceAll(/[^\w-]/g, "");

export const footnoteHandlers: NonNullable<Options["handlers"]> = {
  [REFERENCE]: (_state, node: Element): FootnoteReference => ({
    type: "footnoteReference",
    identifier: idOf(node),
    label: idOf(node),
  }),
  [DEFINITION]: (state, node: Element): FootnoteDefinition => ({
    type: "footnoteDefinition",
    identifier: idOf(node),
    label: idOf(node),
    children: state.toFlow(state.all(node)) as (BlockContent | DefinitionContent)[],
  }),
};
