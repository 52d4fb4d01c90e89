import { renderToReadableStream } from "react-dom/server";
import { ServerRouter, type EntryContext } from "react-router";
import { holdScripts } from "./held-scripts.ts";

/** Answers whole pages: the content policy names the hash of each inline script, so all of them must be there. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
) {
  let answered = status;
  const body = await renderToReadableStream(<ServerRouter context={entryContext} url={request.url} />, {
    signal: request.signal,
    onError(error) {
      answered = 500;
      console.error(error);
    },
  });
  const html = await new Response(body).text();
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(isPublic(entryContext) ? holdScripts(html) : html, { status: answered, headers });
}

/** The admin area is a tool: its forms are filled in at once, and are React's from the start. */
const isPublic = ({ staticHandlerContext }: EntryContext) =>
  staticHandlerContext.matches.some(({ route }) => route.id === "site/layout");
