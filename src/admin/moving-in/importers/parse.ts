import type { Element, Root } from "hast";
import { fromDom } from "hast-util-from-dom";

/** A parsed document runs no scripts and loads nothing. */
export function parse(html: string): Root {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return { type: "root", children: (fromDom(body) as Element).children };
}
