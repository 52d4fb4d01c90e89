import { readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { email } from "../worker/platform/contract.ts";

/** What a deployment needs to know of its owner. Each is a variable of wrangler.toml, which holds the local value. */
export const SETTINGS = {
  SITE_URL: {
    question:
      "Site address, such as https://www.your-domain.net, at a domain of your Cloudflare account\n(or https://rostrum.YOUR-SUBDOMAIN.workers.dev)",
    problemOf: addressProblem,
  },
  ADMIN_EMAIL: {
    question: "Your email address: the only one that may set up the admin area",
    problemOf: emailProblem,
  },
  MAIL_FROM: {
    question: "The address that emails come from, visible to visitors",
    problemOf: emailProblem,
  },
} satisfies Record<string, { question: string; problemOf: (value: string) => string | null }>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = Record<SettingName, string>;

export const settingNames = Object.keys(SETTINGS) as SettingName[];

/** Names that are local or reserved (RFC 2606, RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAME =
  /(^|\.)(localhost|localdomain|local|lan|internal|home\.arpa|test|invalid|example|example\.(com|net|org))$/;

const isLocalName = (host: string) => LOCAL_NAME.test(host) || isIP(host.replace(/^\[|\]$/g, "")) !== 0;

/** Why the site cannot have this address; null if it can. */
function addressProblem(value: string) {
  const url = URL.parse(value);
  if (!url?.hostname.includes(".")) return "is not an address such as https://www.your-domain.net";
  if (url.protocol !== "https:") return "does not begin with https://";
  if (isLocalName(url.hostname)) return "is a local or an example address, which nobody else can open";
  if (url.port || url.username || url.password) return "has a port or a password";
  if (url.pathname !== "/" || url.search || url.hash) return "has more than a domain";
  return null;
}

/** Why the domain cannot receive email; null if it may. */
function emailProblem(value: string) {
  if (!email.safeParse(value).success) return "is not an email address";
  return isLocalName(value.slice(value.lastIndexOf("@") + 1).toLowerCase())
    ? "is at a local or an example domain, which gets no email"
    : null;
}

/** The variables of a configuration that still have a local value. */
export const localVars = (vars: Record<string, unknown>) =>
  Object.entries(vars)
    .filter(([, value]) => typeof value === "string" && hostsIn(value).some(isLocalName))
    .map(([name]) => name);

/** The host part of a URL or an email address. */
const hostsIn = (text: string) =>
  [...text.toLowerCase().matchAll(/(?:\/\/|@)(\[[0-9a-f:]+\]|[a-z0-9.-]+)/g)].map((match) => match[1]!);

/** The file that keeps answers on the owner's machine; git ignores it. */
export function readAnswers(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}

export const saveAnswers = (file: string, answers: Record<string, string>) =>
  writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
