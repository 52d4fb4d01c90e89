import { insertTextIntoField } from "text-field-edit";

/** A page's title is the first level, so the headings of its text begin with the second. */
const HEADING = "## ";

/** Makes the line with the caret a heading, or a heading plain text again; the caret stays at its letter. */
export function toggleHeading(field: HTMLTextAreaElement) {
  const { value, selectionStart, selectionEnd } = field;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const [mark = ""] = /^ {0,3}#{1,6}(?: +|(?=\n|$))/.exec(value.slice(start)) ?? [];
  const written = mark === "" ? HEADING : "";
  const moved = (at: number) => Math.max(start, at + written.length - mark.length);
  field.setSelectionRange(start, start + mark.length);
  insertTextIntoField(field, written);
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}
