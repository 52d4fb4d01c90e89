import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** A page's content with each `{ markdown }`, at any depth, replaced by `{ html }`. */
export const renderContent = (content: object, pictures?: Pictures) =>
  Object.fromEntries(Object.entries(content).map(([key, value]) => [key, renderValue(value, pictures)]));

function renderValue(value: unknown, pictures?: Pictures): unknown {
  if (Array.isArray(value)) return value.map((item) => renderValue(item, pictures));
  if (typeof value !== "object" || value === null) return value;
  if ("markdown" in value) return { html: renderMarkdown(String(value.markdown), pictures).html };
  return renderContent(value, pictures);
}
