/**
 * What a render does: a tree of objects with its attributes, escaped and joined, JSON, and searches in the result. Of
 * plain JavaScript, so that an update of a library does not change it.
 */
export const REFERENCE = `
  const escaped = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => escaped[sign]);
  const element = (type, props, ...children) => ({ type, props: { ...props, children } });
  const Item = ({ item }) => element("li", { className: "item flex gap-4 border-b py-3 " + item.kind, "data-id": item.id },
    element("a", { href: "/items/" + item.id, title: item.title }, element("h3", { className: "text-lg font-medium" }, item.title)),
    element("p", { className: "text-muted mt-1 text-sm" }, item.text),
    element("ul", { className: "flex gap-2" }, ...item.tags.map((tag) => element("li", { className: "tag", lang: "en" }, tag))));
  const List = ({ items }) => element("ol", { className: "list" }, ...items.map((item) => element(Item, { item })));
  function render(node, parts) {
    if (typeof node === "string") return void parts.push(escape(node));
    const { type, props: { children, ...props } } = node;
    if (typeof type === "function") return render(type({ ...props, children }), parts);
    parts.push("<", type);
    for (const [name, value] of Object.entries(props))
      parts.push(" ", name === "className" ? "class" : name, '="', escape(value), '"');
    parts.push(">");
    for (const child of children) render(child, parts);
    parts.push("</", type, ">");
  }
  const items = Array.from({ length: 150 }, (_, id) => ({
    id,
    kind: ["essay", "episode", "letter"][id % 3],
    title: "The " + id + "th title & its <subject>",
    text: "What it is about, in a sentence of some length that says: \\"number " + id + "\\".",
    tags: ["one", "two & three", "four"],
  }));
  const json = JSON.stringify(items);
  export default {
    async fetch() {
      const parts = ["<!doctype html>"];
      render(element(List, { items: JSON.parse(json) }), parts);
      const html = parts.join("");
      const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href));
      const bytes = new TextEncoder().encode(html + JSON.stringify([...links]));
      await crypto.subtle.digest("SHA-256", bytes);
      return new Response(bytes, { headers: { "Content-Type": "text/html" } });
    },
  };`;
