import type { EntryContext } from "react-router";

/**
 * Takes the loaders' data out of a page's context. React Router streams it in a component that suspends, so no page
 * could be rendered in one go.
 */
export async function takeLoaderData({ serverHandoffStream, ...context }: EntryContext) {
  const data = serverHandoffStream ? await new Response(serverHandoffStream).text() : null;
  return { context: context satisfies EntryContext, data };
}

/**
 * JSON as a template literal of an inline script. A string would escape each quote of the JSON, which is 0.1 kB of a page,
 * compressed.
 */
const templateOf = (json: string) => `\`${json.replace(/[\\`]|\$\{/g, "\\$&").replaceAll("<", "\\x3c")}\``;

const CONTROLLER = "window.__reactRouterContext.streamController";

/** The script that gives the data to the router as its `<StreamTransfer>` does, in the globals of its `<Scripts>`. */
export const loaderDataScript = (data: string) =>
  `${CONTROLLER}.enqueue(${templateOf(data)});${CONTROLLER}.close();`;
