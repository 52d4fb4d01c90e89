import type { Finding } from "#worker/letters/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { fetchPublic, NotAsked, type NotAskedReason } from "#worker/platform/http/outgoing.ts";
import { visit } from "#worker/publications/visit.ts";

/** Links that are requested; further links of a text are not checked. */
export const MOST_LINKS = 20;
const AT_ONCE = 6;
/** Timeout of a request in milliseconds. */
const PATIENCE = 5000;

type Written = { url: string; label: string };

/** Finds broken links of a letter or an article. They only warn, since another site may be down for the moment. */
export async function checkLinks(ctx: Context, links: Written[]): Promise<Finding[]> {
  const written = links.flatMap((link) => faultsOf(ctx, link));
  const asked = [...new Set(links.flatMap(({ url }) => addressOf(ctx, url) ?? []))].slice(0, MOST_LINKS);
  const answers = await inTurns(asked, (address) => ask(ctx, address));
  return [...written, ...answers.flatMap((finding) => finding ?? [])];
}

function faultsOf(ctx: Context, { url, label }: Written): Finding[] {
  if (url.trim() === "") return [warning("empty-link", "A link is empty.", label)];
  const parsed = URL.parse(url, ctx.config.siteUrl);
  if (!parsed || (/^https?:/.test(url) && !parsed.hostname.includes(".") && !isOurs(ctx, parsed)))
    return [warning("broken-link", "A link’s address isn’t valid.", url)];
  const faults: Finding[] = [];
  if (label.trim() === "") faults.push(warning("unnamed-link", "A link has no text to click.", url));
  if (parsed.protocol === "http:" && !isOurs(ctx, parsed))
    faults.push(warning("insecure-link", "A link uses http, not https. Email apps may show a warning.", url));
  return faults;
}

const isOurs = ({ config }: Context, { origin }: URL) => origin === new URL(config.siteUrl).origin;

/** The address to request; undefined for an email address, a fragment, or an invalid address. */
function addressOf(ctx: Context, url: string) {
  if (url.trim() === "" || url.startsWith("#")) return undefined;
  const parsed = URL.parse(url, ctx.config.siteUrl);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  return parsed.href;
}

/** Runs a few at a time; the results have the order of the items. */
async function inTurns<Item, Answer>(items: Item[], work: (item: Item) => Promise<Answer>) {
  const answers: Answer[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      answers[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function ask(ctx: Context, address: string): Promise<Finding | null> {
  const url = new URL(address);
  if (isOurs(ctx, url)) return askOurselves(ctx, url);
  try {
    const status = await statusOf(url);
    return status < 400
      ? null
      : warning("dead-link", `A link returned ${status} to our check. Open it to be sure.`, address);
  } catch (error) {
    return warning(
      "dead-link",
      error instanceof NotAsked ? notAsked[error.reason] : "A link didn’t respond.",
      address,
    );
  }
}

async function askOurselves(ctx: Context, { pathname, search }: URL): Promise<Finding | null> {
  const { status } = await visit(ctx, pathname + search, { method: "HEAD" });
  return status < 400
    ? null
    : warning("missing-page", `A link to your site doesn’t work (${status}).`, pathname + search);
}

/** Some sites answer every HEAD with an error. */
async function statusOf(url: URL) {
  const signal = AbortSignal.timeout(PATIENCE);
  const status = await follow(url, "HEAD", signal);
  return status < 400 ? status : follow(url, "GET", signal);
}

const notAsked: Record<NotAskedReason, string> = {
  private: "A link’s address isn’t public, so it wasn’t checked.",
  port: "A link’s address has a port of its own, so it wasn’t checked.",
  password: "A link’s address has a name or password in it, which its readers would see.",
  loop: "A link redirects in a loop.",
  endless: "A link redirects too many times to check.",
};

async function follow(start: URL, method: "HEAD" | "GET", signal: AbortSignal) {
  const headers = { "User-Agent": "Rostrum (checks links)" };
  const { response } = await fetchPublic(start, { method, signal, headers });
  await response.body?.cancel();
  return response.status;
}

const warning = (code: string, message: string, where: string): Finding => ({
  level: "warns",
  code,
  message,
  where,
});
