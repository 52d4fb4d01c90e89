import type { Element, ElementContent, Root, RootContent, Text } from "hast";

/** Small things that are done with a tree of HTML. */

export type Parent = Root | Element;

const isElement = (node: RootContent | undefined): node is Element => node?.type === "element";

export const text = (value: string): Text => ({ type: "text", value });

export const element = (
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[] = [],
): Element => ({ type: "element", tagName, properties, children });

/** Visits each element from the outside in, and replaces it by the result, which is not visited. Null leaves it. */
export function replace(parent: Parent, visit: (element: Element) => ElementContent[] | null) {
  const children = (parent.children as RootContent[]).flatMap((child): RootContent[] => {
    if (!isElement(child)) return child.type === "comment" ? [] : [child];
    const instead = visit(child);
    if (instead) return instead;
    replace(child, visit);
    return [child];
  });
  parent.children = children as Element["children"];
}

export function* elementsIn(parent: Parent): Generator<Element> {
  for (const child of parent.children as RootContent[]) {
    if (!isElement(child)) continue;
    yield child;
    yield* elementsIn(child);
  }
}

export const find = (parent: Parent, is: (element: Element) => boolean) => {
  for (const each of elementsIn(parent)) if (is(each)) return each;
  return null;
};

export const wordsOf = (node: RootContent | Root): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(wordsOf).join("") : "";

export const hasClass = ({ properties }: Element, pattern: RegExp) => {
  const names = properties["className"];
  return Array.isArray(names) && names.some((name) => pattern.test(String(name)));
};

/** hast names `data-attrs` as `dataAttrs`. */
export const property = ({ properties }: Element, ...names: string[]) => {
  for (const name of names) {
    const value = properties[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
};

/** A paragraph with one link. */
export const linkParagraph = (href: string, words: string) =>
  element("p", {}, [element("a", { href }, [text(words.trim() || href)])]);
