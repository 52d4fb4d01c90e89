import { DEFERRED } from "./deferred-hydration.ts";

/** What makes hydration wait; public pages alone have it. */
export type Deferral = {
  entryModule: string;
  /** The address of a script that is loaded after all others: see `inline/counting.ts`. */
  lastScript: string;
  /**
   * In development no modules are listed, since React Refresh, the script's first import, must run before all others.
   */
  isDevelopment: boolean;
};

const END = "</script>";
/** The end of a rendered document. */
const DOCUMENT_END = "</body></html>";
const MODULE = '<script type="module" async="">';
const PRELOAD = '<link rel="modulepreload" href="';
/** Indentation of the manifest in React Router's script. */
const INDENTATION = /\n\s+/g;

type Options = {
  deferral?: Deferral;
  /** What precedes the page. */
  first?: string;
  /** A further inline script, for the end of the body. */
  last?: string | null;
};

/**
 * The page without the nonce, and the bodies of the inline scripts that had it: those that the renderer wrote. Goes
 * from one nonce to the next, since a pattern would look at every tag of the page. Joins all pieces once: each copy of
 * a long page costs a millisecond.
 *
 * With a deferral it makes the module script inert, and moves its imports from `modulepreload` links into
 * `data-modules`. That depends on the output of `<Scripts>`: one async module script and its preloads, all with the
 * nonce. Omits `entryModule` from the list, since evaluating it hydrates the page.
 *
 * @throws if hydration is to wait and the page has no such script, or a last script has no end of a page to be added
 * to, perhaps after an upgrade of the router or of React
 */
export function takeScripts(
  html: string,
  nonce: string,
  { deferral, first = "", last = null }: Options = {},
) {
  const mark = ` nonce="${nonce}"`;
  const parts: string[] = [first];
  const scripts: string[] = [];
  const modules: string[] = [];
  /** The position in `parts` of the inert script's tag, which lists modules that may follow it. */
  let inert: number | undefined;
  let read = 0;
  for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, read)) {
    // Attributes have neither < nor >, which React escapes.
    const start = html.lastIndexOf("<", at);
    const end = html.indexOf(">", at) + 1;
    const tag = html.slice(start, at) + html.slice(at + mark.length, end);
    parts.push(html.slice(read, start));
    read = end;
    if (deferral && tag.startsWith(PRELOAD)) {
      modules.push(tag.slice(PRELOAD.length, tag.indexOf('"', PRELOAD.length)));
      continue;
    }
    const isDeferred = deferral !== undefined && tag === MODULE;
    if (isDeferred) inert = parts.length;
    parts.push(tag);
    if (!tag.startsWith("<script") || tag.includes(" src=")) continue;
    read = html.indexOf(END, end);
    const written = html.slice(end, read);
    const script = isDeferred ? written.replace(INDENTATION, "") : written;
    parts.push(script);
    scripts.push(script);
  }
  if (last === null) parts.push(html.slice(read));
  else {
    if (!html.endsWith(DOCUMENT_END))
      throw new Error("The page has no end to which a script could be added.");
    parts.push(html.slice(read, -DOCUMENT_END.length), "<script>", last, END, DOCUMENT_END);
    scripts.push(last);
  }
  if (deferral) {
    if (inert === undefined) throw new Error("The page has no module script that could be deferred.");
    parts[inert] = inertTag(modules, deferral);
  }
  return { page: parts.join(""), scripts };
}

function inertTag(modules: string[], { entryModule, lastScript, isDevelopment }: Deferral) {
  const listed = isDevelopment ? [] : modules.filter((href) => href !== entryModule);
  return `<script type="${DEFERRED}" data-modules="${listed.join(" ")}" data-last="${lastScript}">`;
}
