/** Syntax of site generators in a Markdown text that this site does not support: it is removed, or listed in a note. */

type Body = { content: string; notes: string[] };

/** Code, which is not changed: fenced, or within a line. */
const CODE =
  /^(?<indent> {0,3})(?<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?: {0,3}\k<fence>[^\n]*(?:\n|$)|$(?![^]))|(?<!`)(?<ticks>`{1,5})(?!`)[^\n]{1,1000}?(?<!`)\k<ticks>(?!`)/gms;
const KEPT = "\u0001";
const kept = new RegExp(`${KEPT}(\\d+)${KEPT}`, "g");

type Kind = {
  /** Braces and tags are MDX. Docusaurus reads imports in `.md`, too. */
  isMdx: boolean;
  /** It is a note of Obsidian’s. */
  isNote: boolean;
};

export function withoutGenerators(text: string, { isMdx, isNote }: Kind): Body {
  const notes: string[] = [];
  const code: string[] = [];
  const highlighted = text
    .replaceAll(KEPT, "")
    .replace(
      /^\{%-?\s*highlight\s+([\w+-]+)[^%]*%\}\n?(.*?)\n?\{%-?\s*endhighlight\s*-?%\}/gms,
      (_all, language: string, inner: string) => `\`\`\`${language}\n${inner}\n\`\`\``,
    );
  let content = highlighted.replace(CODE, (all) => `${KEPT}${code.push(all) - 1}${KEPT}`);
  content = withoutImports(withoutHidden(content, isNote, notes), notes);
  if (isMdx) content = withoutComponents(withoutComments(content), notes);
  nameTags(content, isMdx, notes);
  return { content: content.replace(kept, (_all, at: string) => code[Number(at)]!), notes };
}

/** Jekyll’s and Obsidian’s comments, which readers never saw, and the marker at the end of an excerpt. */
function withoutHidden(content: string, isNote: boolean, notes: string[]) {
  const without = content
    .replaceAll(/\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}/gs, "")
    .replaceAll(isNote ? /%%.*?%%/gs : /(?!)/g, "");
  if (without !== content) notes.push("Comments within the text are left out.");
  return without
    .replaceAll(/\{%-?\s*(?:end)?raw\s*-?%\}/g, "")
    .replaceAll(/<!--\s*(?:more|truncate|excerpt)\s*-->\n?/gi, "");
}

const IMPORT = /^import\s+(?:[\w*{][^'"]{0,2000}?\sfrom\s+)?['"]([^'"\n]+)['"];?[ \t]*(?:\n|$)/gm;
const EXPORT = /^export\s+(?:default|const|let|var|function|async|class|\{|\*)[^]*?(?:\n[ \t]*\n|$(?![^]))/gm;

function withoutImports(content: string, notes: string[]) {
  const sources: string[] = [];
  let exports = 0;
  const without = content
    .replace(IMPORT, (_all, source: string) => {
      sources.push(source);
      return "";
    })
    .replace(EXPORT, () => {
      exports++;
      return "";
    });
  if (sources.length > 0) notes.push(`Imports of MDX are left out: ${listed(sources)}.`);
  if (exports > 0) notes.push("Code that MDX exports is left out.");
  return without;
}

const withoutComments = (content: string) => content.replace(/\{\s*\/\*.*?\*\/\s*\}/gs, "");

/** Removes component tags, but not the text within. */
function withoutComponents(content: string, notes: string[]) {
  const found: string[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const { index, 1: closing, 2: name } of content.matchAll(/<(\/?)([A-Z][\w.]*)(?=[\s/>])/g)) {
    if (index < at) continue;
    const end = endOfTag(content, index);
    if (end < 0) break;
    if (closing === "") found.push(`<${name}>`);
    parts.push(content.slice(at, index));
    at = end;
  }
  if (found.length > 0) notes.push(`Components aren’t shown, only the words in them: ${listed(found)}.`);
  return parts.join("") + content.slice(at);
}

/** Behind its >, which may also be within quotation marks and braces. */
function endOfTag(content: string, start: number) {
  let depth = 0;
  const marks = /"[^"]*"|'[^']*'|[{}>]/g;
  marks.lastIndex = start;
  for (let mark = marks.exec(content); mark; mark = marks.exec(content)) {
    if (mark[0] === "{") depth++;
    else if (mark[0] === "}") depth--;
    else if (mark[0] === ">" && depth <= 0) return mark.index + 1;
  }
  return -1;
}

function nameTags(content: string, isMdx: boolean, notes: string[]) {
  const tell = (pattern: RegExp, what: string) => {
    const names = [...content.matchAll(pattern)].map(([, name]) => name!.trim());
    if (names.length > 0) notes.push(`${what}: ${listed(names)}.`);
  };
  tell(/\{%-?\s*([a-z_]\w*)[^%]*%\}/g, "Tags of a template stay as text");
  tell(/(\{\{[^<%{}][^{}]{0,60}\}\})/g, "Values of a template stay as text");
  tell(/\{\{[<%]\s*\/?\s*([\w./-]+)/g, "Shortcodes stay as text");
  tell(/(!?\[\[(?!\s)[^[\]\n]{1,80}\]\])(?!\()/g, "Links between notes stay as text");
  tell(/^:{3,}[ \t]*([a-z]+)/gm, "Boxes stay as text");
  tell(/^>[ \t]*\[!(\w+)\]/gm, "The kinds of callouts stay as text");
  tell(/(\{:[^}\n]{1,60}\})/g, "Attributes of kramdown stay as text");
  if (isMdx) tell(/(?<![\w{])(\{[\w.()[\] ]{1,60}\})(?!\})/g, "Expressions of MDX stay as text");
}

const SHOWN = 5;
function listed(names: string[]) {
  const all = [...new Set(names)];
  return all.slice(0, SHOWN).join(", ") + (all.length > SHOWN ? " and others" : "");
}

/** Whether a text has the links between notes that Obsidian writes. */
export const hasNoteLinks = (content: string) =>
  /!?\[\[(?!\s)[^[\]\n]{1,200}\]\](?!\()/.test(content.replace(CODE, ""));
