import { renderToReadableStream, renderToString } from "react-dom/server";
import lastScript from "virtual:tracker-file";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
} from "react-router";
import { directionOf } from "#worker/platform/text/direction.ts";
import { logError } from "#worker/platform/log.ts";
import { allowInlineScripts } from "#worker/platform/http/security.ts";
import { loaderDataScript, takeLoaderData } from "./document/loader-data.ts";
import { NonceContext, nonceOfIsolate } from "./document/nonce.ts";
import { takeScripts } from "./document/page-scripts.ts";
import { openStore } from "./document/stored.server.tsx";
import { StoredContext } from "./document/stored.tsx";
import { drawLand } from "#worker/platform/artwork/generated-artwork.ts";
import { drawWith } from "./shell/generated-artwork.tsx";

drawWith({ drawLand });

/** Renders whole pages: the content policy names the hash of each inline script, and a cached page is one piece. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
) {
  const nonce = nonceOfIsolate();
  const { context, data } = await takeLoaderData(entryContext);
  const store = openStore();
  const html = await render(
    <NonceContext value={nonce}>
      <StoredContext value={store.find}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </StoredContext>
    </NonceContext>,
  );
  store.fill();
  const last = data === null ? null : loaderDataScript(data);
  const entryModule = entryContext.manifest.entry.module;
  const deferral = { entryModule, lastScript, isDevelopment: import.meta.env.DEV };
  const { page, scripts } = isPublic(entryContext)
    ? takeScripts(withDirection(html), nonce, { deferral, first: DOCTYPE, last })
    : takeScripts(html, nonce, { first: DOCTYPE, last });
  headers.set("Content-Type", "text/html; charset=utf-8");
  await allowInlineScripts(headers, scripts);
  return new Response(page, { status, headers });
}

/** Logs errors of loaders and renders. React Router's own handler would print the parameters of a failed statement. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  // An unmatched address is an error response of the router, not a fault.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  logError("page: failed", error, { status: 500 });
};

/**
 * Renders into a string, which costs less than a stream of bytes. Only the stream waits for a part whose module is not
 * loaded yet, and reports the error of a part. Only the stream begins with the document type, which is left out.
 */
async function render(element: React.ReactElement) {
  const html = renderToString(element);
  return html.includes(UNFINISHED) ? renderAndWait(element) : html;
}

const DOCTYPE = "<!DOCTYPE html>";

/** What React writes before a boundary that it has not rendered. */
const UNFINISHED = "<!--$!-->";

async function renderAndWait(element: React.ReactElement) {
  const stream = await renderToReadableStream(element, {
    // React would send a large boundary after the page, with a script that moves it into position.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => logError("page: a part failed to render", error),
  });
  await stream.allReady;
  return (await new Response(stream).text()).slice(DOCTYPE.length);
}

/**
 * Adds `dir` to the html element if the page's language is written from right to left. In root.tsx, every first visit
 * would load the code for it.
 */
function withDirection(html: string) {
  const [tag, language] = /<html lang="([^"]*)"/.exec(html) ?? [];
  const direction = language && directionOf(language);
  return tag && direction ? html.replace(tag, () => `${tag} dir="${direction}"`) : html;
}

/** Only public pages defer hydration: the forms of the admin area are used immediately. */
const isPublic = ({ staticHandlerContext }: EntryContext) =>
  staticHandlerContext.matches.some(({ route }) => route.id === "site/layout");
