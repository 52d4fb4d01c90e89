import type { Element, ElementContent } from "hast";
import { element, text } from "../moving-in/importers/tree.ts";

type Item = { level: number; isOrdered: boolean; list: string; start: number; content: ElementContent[] };

/**
 * Lists as Markdown nests them. Word writes items as paragraphs with a level, its edition for browsers each as a list of its
 * own, and Google Docs writes a list below an item beside it.
 */
export function nestItems(blocks: ElementContent[]): ElementContent[] {
  const nested: ElementContent[] = [];
  let items: Item[] = [];
  const flush = () => {
    nested.push(...listsOf(items));
    items = [];
  };
  for (const block of blocks) {
    if (block.type === "text" && block.value.trim() === "" && items.length > 0) continue;
    const found = itemsOf(block);
    if (found) {
      items.push(...found);
      continue;
    }
    flush();
    nested.push(withTidyLists(block));
  }
  flush();
  return nested;
}

/** The items of a paragraph or list with levels; null for anything else. */
function itemsOf(block: ElementContent): Item[] | null {
  if (block.type !== "element") return null;
  const { tagName, properties, children } = block;
  if (properties["list"] !== undefined) {
    const marker = String(properties["marker"]);
    const isOrdered = /^\(?(?:\d{1,9}|[a-z]|[ivxlcdm]+)[.)]/i.test(marker);
    const start = Number.parseInt(marker.replace("(", ""), 10) || 1;
    const content = tagName === "p" || tagName === "li" ? children : [block];
    return [
      { level: Number(properties["level"]), isOrdered, list: String(properties["list"]), start, content },
    ];
  }
  if (tagName !== "ul" && tagName !== "ol") return null;
  const items = children.filter(
    (child): child is Element => child.type === "element" && child.tagName === "li",
  );
  if (items.length === 0 || items.some(({ properties: { level } }) => level === undefined)) return null;
  return children.flatMap((child) =>
    child.type === "element" && child.tagName === "li"
      ? [
          {
            level: Number(child.properties["level"]),
            isOrdered: tagName === "ol",
            list: tagName,
            start: Number(properties["start"]) || 1,
            content: child.children,
          },
        ]
      : (itemsOf(child) ?? []),
  );
}

function listsOf(items: Item[]): Element[] {
  const lists: Element[] = [];
  let current: { list: Element; of: Item } | undefined;
  for (let at = 0; at < items.length;) {
    const item = items[at]!;
    const end = items.findIndex(({ level }, index) => index > at && level <= item.level);
    const below = items.slice(at + 1, end < 0 ? undefined : end);
    const isNext = current && current.of.isOrdered === item.isOrdered && current.of.list === item.list;
    if (!current || !isNext) {
      const list = element(item.isOrdered ? "ol" : "ul", item.isOrdered ? { start: item.start } : {});
      current = { list, of: item };
      lists.push(list);
    }
    current.list.children.push(element("li", {}, [...item.content.map(withTidyLists), ...listsOf(below)]));
    at += 1 + below.length;
  }
  return lists;
}

/** A list directly inside a list belongs to the previous item. */
function withTidyLists(block: ElementContent): ElementContent {
  if (block.type !== "element") return block;
  const isList = block.tagName === "ul" || block.tagName === "ol";
  if (!isList) return { ...block, children: nestItems(block.children) };
  const items: Element[] = [];
  for (const child of block.children) {
    if (child.type !== "element") continue;
    const tidy = withTidyLists(child) as Element;
    if (child.tagName === "li") items.push(tidy);
    else (items.at(-1) ?? addTo(items)).children.push(tidy);
  }
  return { ...block, children: items };
}

function addTo(items: Element[]) {
  const item = element("li", {}, [text("")]);
  items.push(item);
  return item;
}
