import type { ClipboardEvent, KeyboardEvent } from "react";
import { insertTextIntoField } from "text-field-edit";
import { counted } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { toast } from "../shell/toast.tsx";

/** Loads parser and writer on the first paste. */
const loadConverter = lazyImport(() => import("./convert-pasted.ts"));

/** HTML without any of these has no formatting. */
const MAY_BE_FORMATTED =
  /<(?:a|b|strong|i|em|s|del|strike|h[1-6]|ul|ol|li|table|blockquote|pre|code|img|hr|dl|sup|sub)[\s>]|style=|class=|role=/i;

const TOO_LONG = "This is too long to keep its formatting. It was pasted as plain text.";
const FAILED = "The formatting couldn’t be read. The text was pasted without it.";
const notPasted = (count: number) =>
  `${counted(count, "picture")} ${count === 1 ? "wasn’t" : "weren’t"} pasted. Add ${count === 1 ? "it" : "them"} with the Image button.`;

/** When the last plain-text paste was requested. Browsers report it like any other paste, some with its HTML. */
let plainAskedAt = -Infinity;
/** Milliseconds between the keys and their paste. */
const SOON = 1000;

/** Ctrl+Shift+V, or ⌥⇧⌘V, pastes plain text. */
export function notePlainPaste({ code, ctrlKey, metaKey, shiftKey, timeStamp }: KeyboardEvent) {
  if (code === "KeyV" && shiftKey && (ctrlKey || metaKey)) plainAskedAt = timeStamp;
}

/** Pastes what word processors and browsers copy as Markdown, as a single undo step. */
export function pasteFormatted(event: ClipboardEvent<HTMLTextAreaElement>, markChanged: () => void) {
  const { clipboardData: data, currentTarget: field } = event;
  const html = data.getData("text/html");
  const isPlain = event.timeStamp - plainAskedAt < SOON || data.types.includes("vscode-editor-data");
  if (isPlain || !MAY_BE_FORMATTED.test(html) || isInCode(field)) return;
  event.preventDefault();
  void insertConverted(field, { html, plain: data.getData("text/plain") }, markChanged);
}

async function insertConverted(
  field: HTMLTextAreaElement,
  { html, plain }: { html: string; plain: string },
  markChanged: () => void,
) {
  const insert = (text: string) => {
    if (text === "" || !field.isConnected) return;
    insertTextIntoField(field, text);
    markChanged();
  };
  try {
    const { convertPasted } = await loadConverter();
    const pasted = convertPasted(html);
    if (!pasted) {
      insert(plain);
      return toast.error(TOO_LONG);
    }
    const { markdown, isInline, pictures } = pasted;
    // A bare address becomes a link automatically.
    const isSaid = markdown === null || markdown === `<${plain.trim()}>`;
    insert(isSaid ? plain : isInline ? markdown : asParagraph(field, markdown));
    if (pictures > 0) toast.error(notPasted(pictures));
  } catch (error) {
    console.warn("markdown: a paste was not converted", error);
    insert(plain);
    toast.error(FAILED);
  }
}

/** Whether the caret is in a fenced block of code, or between the backticks of a line. */
function isInCode({ value, selectionStart }: HTMLTextAreaElement) {
  const lines = value.slice(0, selectionStart).split("\n");
  const line = lines.pop() ?? "";
  let fence = "";
  for (const each of lines) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(each) ?? [];
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && each.trim() === mark) fence = "";
  }
  if (fence !== "") return true;
  const [rest = ""] = value.slice(selectionStart).split("\n", 1);
  return line.split("`").length % 2 === 0 && rest.includes("`");
}

/** Markdown to insert at the caret, set off by an empty line on each side. */
export function asParagraph({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, markdown: string) {
  const before = value.slice(0, selectionStart);
  const after = value.slice(selectionEnd);
  const start = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const end = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  return start + markdown + end;
}
