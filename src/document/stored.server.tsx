import { LRUCache } from "lru-cache";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import type { Part } from "./stored.tsx";

/** The HTML of parts, by name and properties: a changed setting is not found, and rendered. One for the isolate. */
const stored = new LRUCache<string, string>({ max: 100 });

/** The parts of one render. The first page with a part renders it in place, and stores it afterwards. */
export function openStore() {
  const missing = new Map<string, Part>();
  return {
    find(part: Part) {
      const key = part.name + JSON.stringify(part.given);
      const html = stored.get(key);
      if (html === undefined) missing.set(key, part);
      return html;
    },
    fill() {
      for (const [key, { Content, given }] of missing) {
        const html = renderToString(
          // Some links are the router's.
          <StaticRouter location="/">
            <Content {...given} />
          </StaticRouter>,
        );
        stored.set(key, html);
      }
    },
  };
}
