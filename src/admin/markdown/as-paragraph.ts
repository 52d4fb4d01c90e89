/** Markdown to insert at the caret, set off by an empty line on each side. */
export function asParagraph({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, markdown: string) {
  const before = value.slice(0, selectionStart);
  const after = value.slice(selectionEnd);
  const start = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const end = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  return start + markdown + end;
}
