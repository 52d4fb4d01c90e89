/** The colours of the site's paper theme (src/app.css), for style attributes, which every mail program reads. */
const light = {
  paper: "#FAF7F0",
  tint: "#F0EBDF",
  ink: "#1C1A16",
  muted: "#645E51",
  rule: "#DDD6C8",
  accent: "#1F5A4C",
  onAccent: "#FFFFFF",
};
const dark: typeof light = {
  paper: "#14171A",
  tint: "#22272B",
  ink: "#ECE7DC",
  muted: "#A8A294",
  rule: "#30363B",
  accent: "#7FBFA9",
  onAccent: "#14171A",
};

/** Fonts that every mail program has. */
const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "ui-monospace,Menlo,Consolas,monospace";

export const PAPER = light.paper;
export const ACCENT = light.accent;

/** Style attributes of the frame around an email's text. */
export const frame = {
  page: `margin:0;padding:0;background-color:${light.paper};-webkit-text-size-adjust:100%`,
  // Fixed, so that a wide table or an unloaded picture does not widen the mail.
  canvas: `table-layout:fixed;background-color:${light.paper}`,
  // No tiny font, which SpamAssassin treats as hidden text.
  preheader: "display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all",
  column: "table-layout:fixed;max-width:600px;margin:0 auto",
  head: `padding:0 0 12px;border-bottom:1px solid ${light.rule};font:600 15px/1.4 ${SANS};color:${light.ink}`,
  home: `color:${light.ink};text-decoration:none`,
  text: `padding:28px 0 12px;font:17px/1.6 ${SERIF};color:${light.ink};word-break:break-word;overflow-wrap:anywhere`,
  title: `margin:0 0 20px;font:600 28px/1.2 ${SERIF}`,
  foot: `padding:16px 0 0;border-top:1px solid ${light.rule};font:13px/1.5 ${SANS};color:${light.muted}`,
  small: "margin:0 0 8px",
  footLink: `color:${light.muted};text-decoration:underline`,
};

/** For table cells; elsewhere a long address may break. */
const WHOLE_WORDS = "word-break:normal;overflow-wrap:normal";

const heading = (size: number) => `margin:28px 0 12px;font:600 ${size}px/1.3 ${SERIF}`;

/** Style attributes of the elements of a text. */
export const elements: Record<string, string> = {
  p: "margin:0 0 16px",
  a: `color:${light.accent};text-decoration:underline`,
  h2: heading(22),
  h3: heading(19),
  h4: heading(17),
  h5: heading(17),
  h6: heading(17),
  ul: "margin:0 0 16px;padding:0 0 0 24px",
  ol: "margin:0 0 16px;padding:0 0 0 24px",
  li: "margin:0 0 6px",
  blockquote: `margin:0 0 16px;padding:2px 0 2px 16px;border-left:3px solid ${light.rule}`,
  hr: `margin:28px 0;border:0;border-top:1px solid ${light.rule};height:0`,
  pre: `margin:0 0 16px;padding:12px;background-color:${light.tint};font:14px/1.5 ${MONO};white-space:pre-wrap;word-break:break-word`,
  code: `font-family:${MONO};font-size:0.9em;background-color:${light.tint}`,
  table: "border-collapse:collapse;width:100%;font-size:15px;line-height:1.45",
  th: `padding:6px 8px;border-bottom:2px solid ${light.rule};text-align:left;vertical-align:bottom;${WHOLE_WORDS}`,
  td: `padding:6px 8px;border-bottom:1px solid ${light.rule};text-align:left;vertical-align:top;${WHOLE_WORDS}`,
  // The font is for the alternative text of an unloaded picture.
  img: `display:block;max-width:100%;height:auto;border:0;font:italic 15px/1.4 ${SERIF};color:${light.muted}`,
  sup: "font-size:0.75em;line-height:0",
};

/** A wide table scrolls, in mail programs that support it. */
export const SCROLLING = "margin:0 0 16px;overflow-x:auto";

export const button = {
  table: "margin:4px 0 24px;border-collapse:separate",
  cell: `background-color:${light.accent};border-radius:3px;mso-padding-alt:12px 22px`,
  link: `display:inline-block;padding:12px 22px;border-radius:3px;font:600 16px/1.25 ${SANS};color:${light.onAccent};text-decoration:none`,
};

type Rule = [selectors: string[], property: "color" | "background-color" | "border-color", value: string];

const rules: Rule[] = [
  [[".paper"], "background-color", dark.paper],
  [[".ink", ".ink h1", ".ink h2", ".ink h3", ".ink h4"], "color", dark.ink],
  [[".ink a"], "color", dark.accent],
  [[".ink .home"], "color", dark.ink],
  [[".muted", ".muted a", ".ink img"], "color", dark.muted],
  [[".edge", ".ink blockquote", ".ink hr", ".ink th", ".ink td"], "border-color", dark.rule],
  [[".ink pre", ".ink code"], "background-color", dark.tint],
  [[".button"], "background-color", dark.accent],
  [[".button a"], "color", dark.onAccent],
];

const written = (prefix: string, [selectors, property, value]: Rule) =>
  `${selectors.map((selector) => prefix + selector).join(",")}{${property}:${value}!important}`;

/** Outlook.com has its own dark mode and marks recoloured elements: text by `data-ogsc`, backgrounds by `data-ogsb`. */
const outlook = (rule: Rule) => written(rule[1] === "color" ? "[data-ogsc] " : "[data-ogsb] ", rule);

/** Rules that style attributes cannot express. */
export const STYLE_SHEET = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  // Each block takes the direction of its first letter, regardless of the site's language.
  "p,h1,h2,h3,h4,h5,h6,li,th,td{unicode-bidi:plaintext}",
  "@media (max-width:480px){.title{font-size:24px!important}}",
  `@media (prefers-color-scheme:dark){${rules.map((rule) => written("", rule)).join("")}}`,
  ...rules.map(outlook),
].join("\n");

/** For a right-to-left email: mirrors the sides set in style attributes. */
export const MIRRORED = [
  ".ink ul,.ink ol{padding:0 24px 0 0!important}",
  `.ink blockquote{padding:2px 16px 2px 0!important;border-left:0!important;border-right:3px solid ${light.rule}!important}`,
  ".ink th,.ink td{text-align:right!important}",
].join("\n");
