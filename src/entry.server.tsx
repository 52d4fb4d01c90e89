import { renderToString } from "react-dom/server";
import { ServerRouter, type EntryContext } from "react-router";
import { allowInlineScripts } from "#worker/platform/security.ts";
import { handOff } from "./handoff.ts";
import { holdScripts } from "./held-scripts.ts";
import { createNonce, NonceContext, takeOwnScripts } from "./own-scripts.ts";
import { drawLand } from "./site/landform-drawing.ts";
import { drawWith } from "./site/landform.tsx";

export { handleError } from "./handle-error.ts";

drawWith({ drawLand });

/**
 * Answers whole pages: the content policy names the hash of each inline script, and a cached page is one piece. So the
 * page is rendered as one string, which takes half the time of a stream of bytes.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
) {
  const stream = takeStream(entryContext);
  const nonce = createNonce();
  const html = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={matchedAlone(entryContext)} url={request.url} nonce={nonce} />
    </NonceContext>,
  );
  const filled = await handOff(html, dataOf(entryContext), () => new Response(stream).text());
  const { page, scripts } = takeOwnScripts(
    isPublic(entryContext) ? holdScripts(filled, nonce) : filled,
    nonce,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  await allowInlineScripts(headers, scripts);
  // React writes it into a stream alone; without it browsers show the page as those of the nineties did.
  return new Response(`<!DOCTYPE html>${page}`, { status, headers });
}

/** The loaders' data, encoded; the renderer would wait for it otherwise. */
function takeStream(entryContext: EntryContext) {
  const stream = entryContext.serverHandoffStream;
  entryContext.serverHandoffStream = undefined;
  return stream;
}

/** What is in that stream. */
const dataOf = ({ staticHandlerContext: { loaderData, actionData, errors } }: EntryContext) => ({
  loaderData,
  actionData,
  errors,
});

/**
 * React Router builds a tree of every route that the manifest lists, each time; this one lists those of the page, and
 * still knows the others by name.
 */
function matchedAlone(entryContext: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = entryContext;
  const routes = Object.create(manifest.routes) as typeof manifest.routes;
  for (const { route } of staticHandlerContext.matches) routes[route.id] = manifest.routes[route.id];
  return { ...entryContext, manifest: { ...manifest, routes } };
}

/** The admin area is a tool: its forms are filled in at once, and are React's from the start. */
const isPublic = ({ staticHandlerContext }: EntryContext) =>
  staticHandlerContext.matches.some(({ route }) => route.id === "site/layout");
