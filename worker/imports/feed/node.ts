/** A parsed element: attributes by `@_name`, its text by `#text` or alone. */
export type Node = { [name: string]: unknown };

export const childrenOf = (node: Node, name: string): Node[] => {
  const value = node[name];
  const all = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];
  return all.map((each) => (typeof each === "object" && each !== null ? (each as Node) : { "#text": each }));
};

export const childOf = (parent: unknown, name: string): Node | undefined =>
  typeof parent === "object" && parent !== null ? childrenOf(parent as Node, name)[0] : undefined;

/** The text of an element, unchanged. */
export const rawText = (node: Node | undefined) => String(node?.["#text"] ?? "");

/** The text of the first child with one of these names that is not empty. */
export function textOf(node: Node, ...names: string[]) {
  for (const name of names) {
    const text = childrenOf(node, name)
      .map(rawText)
      .find((each) => each.trim() !== "");
    if (text !== undefined) return text.trim();
  }
  return "";
}

/** The base URL of an element's addresses: its `xml:base`, or `base`. */
export function baseOf(node: Node | undefined, base: string) {
  const own = attributeOf(node, "xml:base");
  return own === "" ? base : (URL.parse(own, base || undefined)?.href ?? base);
}

export const attributeOf = (node: Node | undefined, name: string) => String(node?.[`@_${name}`] ?? "").trim();
