/** Whether a text is HTML as a whole, as some exports have it. */
export const isHtml = (text: string) =>
  /^\s*<(?:!doctype|!--|html|head|body|p|div|h[1-6]|article|section|main|ul|ol|figure|blockquote|table|script|style)\b/i.test(
    text,
  );

/** Whether a Markdown text has HTML in it, outside its code. */
export const hasHtml = (text: string) =>
  /<\/?(?:script|style|iframe|div|span|p|br|img|video|audio|embed|object|form|table|center|font|details|figure|sup|sub)\b/i.test(
    text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, ""),
  );
