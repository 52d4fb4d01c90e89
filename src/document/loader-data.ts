import type { EntryContext } from "react-router";

/** The end of a rendered document. */
const END = "</body></html>";

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

/**
 * Adds the data to a document as React Router's `<StreamTransfer>` does, in the globals of its `<Scripts>`.
 * @throws if the page has another end, perhaps after an upgrade of React
 */
export function addLoaderData(html: string, data: string, nonce: string) {
  if (!html.endsWith(END)) throw new Error("The page has no end to which its data could be added.");
  const controller = "window.__reactRouterContext.streamController";
  const script = `${controller}.enqueue(${templateOf(data)});${controller}.close();`;
  return `${html.slice(0, -END.length)}<script nonce="${nonce}">${script}</script>${END}`;
}
