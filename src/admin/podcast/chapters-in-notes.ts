import type { Nodes, Root } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { chaptersIn, isTime, type FoundChapter, type Line } from "#worker/episodes/chapter-input/lines.ts";
import { costlyLine } from "#worker/platform/text/costly-markdown.ts";
import { syntax } from "#worker/platform/text/markdown-syntax.ts";

/** Characters of a title, as a chapter takes it. */
const MOST_TITLE = 200;

const parser = unified().use(remarkParse).use(syntax).freeze();

/** The chapters that are written in show notes, read from what the notes say and not from their Markdown. */
export function chaptersInNotes(markdown: string): FoundChapter[] {
  if (costlyLine(markdown) !== null) return [];
  const tree = parser.runSync(parser.parse(markdown)) as Root;
  return chaptersIn(linesOf(tree)).map((chapter) => ({
    ...chapter,
    title: chapter.title.slice(0, MOST_TITLE).trim(),
  }));
}

/** The lines of a document as they read. */
function linesOf(tree: Root): Line[] {
  const addresses = new Map<string, string>();
  const lines: Line[] = [];
  let line: Line = { text: "" };
  const end = () => {
    if (line.text.trim() !== "") lines.push(line);
    line = { text: "" };
  };
  const write = (text: string) => {
    for (const [index, part] of text.split(/\r?\n/).entries()) {
      if (index > 0) end();
      line.text += part;
    }
  };
  const within = (node: Nodes) => {
    if ("children" in node) node.children.forEach(visit);
  };
  const visit = (node: Nodes) => {
    switch (node.type) {
      case "text":
      case "inlineCode":
        return write(node.value);
      case "break":
        return end();
      case "html":
        return /^<br\b/i.test(node.value) ? end() : undefined;
      case "image":
      case "imageReference":
        return write(node.alt ?? "");
      case "link":
      case "linkReference": {
        const url = node.type === "link" ? node.url : (addresses.get(node.identifier) ?? "");
        const from = line.text.length;
        within(node);
        if (/^https?:\/\//i.test(url) && !isTime(line.text.slice(from))) line.link ??= url;
        return;
      }
      case "tableCell":
        within(node);
        return write(" | ");
      case "strong":
      case "emphasis":
      case "delete":
        return within(node);
      case "code":
        end();
        write(node.value);
        return end();
      case "definition":
      case "footnoteReference":
        return;
      default:
        end();
        within(node);
        return end();
    }
  };
  for (const node of tree.children) if (node.type === "definition") addresses.set(node.identifier, node.url);
  visit(tree);
  return lines;
}
