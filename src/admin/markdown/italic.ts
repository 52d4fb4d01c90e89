import { insertTextIntoField } from "text-field-edit";

/** A single asterisk at an end, not two: those are bold. */
const ENDS_IN_ONE = /(?<!\*)\*(?:\*\*)?$/;
const BEGINS_WITH_ONE = /^(?:\*\*)?\*(?!\*)/;

/**
 * Puts asterisks around the selected text, or the word at the caret, or takes them away. The toolbar's element writes
 * underscores, which do not work within a word, and Chinese and Japanese have no spaces between words.
 */
export function toggleItalic(field: HTMLTextAreaElement) {
  const { value } = field;
  const isCaret = field.selectionStart === field.selectionEnd;
  const caret = field.selectionStart;
  const around = isCaret ? wordAt(value, caret) : [field.selectionStart, field.selectionEnd];
  const [start = 0, end = 0] = trimmed(value, around[0]!, around[1]!);
  const words = value.slice(start, end);
  const isInside = words.length > 2 && BEGINS_WITH_ONE.test(words) && ENDS_IN_ONE.test(words);
  const isAround = ENDS_IN_ONE.test(value.slice(0, start)) && BEGINS_WITH_ONE.test(value.slice(end));
  const [from, to, text, moved] = isInside
    ? [start, end, words.slice(1, -1), -1]
    : isAround
      ? [start - 1, end + 1, words, -1]
      : [start, end, `*${words}*`, 1];
  field.setSelectionRange(from, to);
  insertTextIntoField(field, text);
  if (isCaret) field.setSelectionRange(caret + moved, caret + moved);
  else if (isInside) field.setSelectionRange(start, start + text.length);
  else field.setSelectionRange(start + moved, end + moved);
}

function wordAt(value: string, at: number) {
  const [before = ""] = /\S*$/.exec(value.slice(0, at)) ?? [];
  const [after = ""] = /^\S*/.exec(value.slice(at)) ?? [];
  return [at - before.length, at + after.length];
}

/** Without the spaces at either end, next to which an asterisk is literal. */
function trimmed(value: string, start: number, end: number) {
  const words = value.slice(start, end);
  if (words.trim() === "") return [start, end];
  return [start + words.length - words.trimStart().length, end - words.length + words.trimEnd().length];
}
