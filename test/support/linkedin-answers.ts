import type { ServerResponse } from "node:http";
import type { Account } from "./linkedin-server.ts";
import { pngOf } from "./png.ts";

const AUTHOR = "yrZCpj2Z12";

const idsIn = ({ search }: URL) =>
  (/[?&]ids=List\(([^)]*)\)/.exec(search)?.[1] ?? "").split(",").filter(Boolean).map(decodeURIComponent);

/** What the API answers to a request that nothing is wrong with; null for an address that it does not have. */
export function answerTo(account: Account, url: URL, origin: string) {
  const { pathname, searchParams } = url;
  if (pathname === "/v2/me")
    return {
      id: AUTHOR,
      localizedFirstName: "Imogen",
      localizedLastName: "Tarrant",
      ...(account.vanityName && { vanityName: account.vanityName }),
    };
  if (pathname === "/v2/userinfo") return { sub: AUTHOR, name: "Imogen Tarrant" };
  if (pathname === "/rest/posts" && searchParams.get("q") === "author") return pageOf(account, url);
  if (pathname === "/rest/socialMetadata")
    return { results: resultsOf(idsIn(url), (urn) => metadataOf(account, urn)), statuses: {}, errors: {} };
  if (pathname === "/rest/images")
    return {
      results: resultsOf(idsIn(url), (urn) => imageOf(account, urn, origin)),
      statuses: {},
      errors: {},
    };
  if (pathname === "/rest/memberCreatorPostAnalytics") return statisticsOf(account, url);
  return null;
}

function pageOf({ posts }: Account, { searchParams }: URL) {
  if (searchParams.get("author") !== `urn:li:person:${AUTHOR}`)
    return { elements: [], paging: { start: 0, count: 0, links: [] } };
  const [start, count] = [Number(searchParams.get("start") ?? 0), Number(searchParams.get("count") ?? 10)];
  const link = (rel: string, from: number) => ({
    type: "application/json",
    rel,
    href: `/rest/posts?author=${encodeURIComponent(searchParams.get("author")!)}&q=author&count=${count}&start=${from}`,
  });
  const links = [
    ...(start > 0 ? [link("prev", Math.max(0, start - count))] : []),
    ...(start + count < posts.length ? [link("next", start + count)] : []),
  ];
  return {
    paging: { start, count, links, total: posts.length },
    elements: posts.slice(start, start + count),
  };
}

const resultsOf = (urns: string[], resultOf: (urn: string) => object | null) =>
  Object.fromEntries(
    urns.flatMap((urn) => {
      const result = resultOf(urn);
      return result ? [[urn, result]] : [];
    }),
  );

function metadataOf({ counts }: Account, urn: string) {
  const known = counts[urn];
  if (!known) return null;
  return {
    entity: urn,
    commentsState: "OPEN",
    commentSummary: { count: known.comments, topLevelCount: known.comments },
    reactionSummaries: Object.fromEntries(
      Object.entries(known.reactions).map(([reactionType, count]) => [reactionType, { reactionType, count }]),
    ),
  };
}

function imageOf({ images }: Account, urn: string, origin: string) {
  const is = images[urn];
  if (!is || is === "none") return null;
  const downloadUrl =
    is === "private" ? "http://10.0.0.1/secret.png" : `${origin}/dms/image/${is}/${encodeURIComponent(urn)}`;
  return {
    id: urn,
    owner: `urn:li:person:${AUTHOR}`,
    status: "AVAILABLE",
    downloadUrl,
    downloadUrlExpiresAt: Date.now() + 3_600_000,
  };
}

function statisticsOf({ shares }: Account, { search, searchParams }: URL) {
  const [, kind, urn = ""] = /entity=\((share|ugc):([^)]+)\)/.exec(search) ?? [];
  const metricType = searchParams.get("queryType");
  if (!kind || metricType !== "RESHARE") return null;
  const count = shares[decodeURIComponent(urn)];
  const elements =
    count === undefined ? [] : [{ count, metricType, targetEntity: { [kind]: decodeURIComponent(urn) } }];
  return { elements, paging: { start: 0, count: 10, links: [] } };
}

/** The bytes at the address of a picture. */
export async function imageAt({ pathname }: URL, response: ServerResponse) {
  const [, , , is] = pathname.split("/");
  if (is === "redirect-private")
    return void response.writeHead(302, { Location: "http://169.254.169.254/latest" }).end();
  if (is === "gone")
    return void response.writeHead(403, { "Content-Type": "text/plain" }).end("URL signature expired");
  if (is === "html")
    return void response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Sign in</h1>");
  response.writeHead(200, { "Content-Type": "image/png" }).end(await pngOf(64, 48));
}
