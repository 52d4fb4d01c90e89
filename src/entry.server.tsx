import { renderToString } from "react-dom/server";
import { ServerRouter, type EntryContext } from "react-router";
import { holdScripts } from "./held-scripts.ts";

/**
 * Answers whole pages: the content policy names the hash of each inline script, and a kept page is one piece. So the
 * page is rendered as one string, which takes half the time of a stream of bytes.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
) {
  const handoff = await takeHandoff(entryContext);
  const html = renderToString(<ServerRouter context={entryContext} url={request.url} />);
  const page = html.replace("</body>", () => `${handoff}</body>`);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const answered = isPublic(entryContext) ? holdScripts(page) : page;
  // React writes it into a stream alone; without it browsers show the page as those of the nineties did.
  return new Response(`<!DOCTYPE html>${answered}`, { status, headers });
}

/**
 * The loaders' data as the scripts by which React Router hands them to the browser. It would render them itself while
 * it streams (its `StreamTransfer`), which a string cannot wait for.
 */
async function takeHandoff(entryContext: EntryContext) {
  const data = await new Response(entryContext.serverHandoffStream).text();
  entryContext.serverHandoffStream = undefined;
  const controller = "window.__reactRouterContext.streamController";
  return `<script>${controller}.enqueue(${inScript(data)});</script><script>${controller}.close();</script>`;
}

/** A text as a literal that cannot end the script around it. */
const inScript = (text: string) =>
  JSON.stringify(text).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The admin area is a tool: its forms are filled in at once, and are React's from the start. */
const isPublic = ({ staticHandlerContext }: EntryContext) =>
  staticHandlerContext.matches.some(({ route }) => route.id === "site/layout");
