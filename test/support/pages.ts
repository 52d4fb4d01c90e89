import { fetchSite } from "./client.ts";

/** A served page: the response, its HTML, its main part without the chrome, and its visible text. */
export async function open(path: string, init?: RequestInit) {
  const response = await fetchSite(path, init);
  const html = await response.text();
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  return { response, html, main, text: textOf(html), mainText: textOf(main) };
}

/** What a person reads: no markup, no scripts, entities resolved. */
export const textOf = (html: string) =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, "")
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");

export const titleOf = (html: string) => /<title[^>]*>(.*?)<\/title>/.exec(html)?.[1];

/** The levels of its headings, in order. */
export const headingsOf = (html: string) =>
  [...html.matchAll(/<h(\d)[ >]/g)].map(([, level]) => Number(level));

/** Its structured data for search engines, by type. */
export const structuredDataOf = (html: string, type: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    .map(([, json = "{}"]) => JSON.parse(json) as { "@type"?: string })
    .filter((data) => data["@type"] === type);

/** The same, the one of each type. */
export const structuredIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = ""]) => {
      const data = JSON.parse(json) as { "@type": string };
      return [data["@type"], data];
    }),
  );
