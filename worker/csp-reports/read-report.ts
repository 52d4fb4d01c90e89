/** Something that a browser blocked: by which directive, and its host or a keyword such as `inline`. */
export type Violation = { directive: string; host: string };

/** Of one request. Chrome collects the reports of a minute. */
const MOST_VIOLATIONS = 50;

/**
 * What a browser reports, in either format; empty for anything else. Only the directive and the host are read: the
 * report's addresses may contain a visitor's token, and its sample a visitor's text.
 */
export const readViolations = (text: string): Violation[] =>
  bodiesIn(parsed(text))
    .slice(0, MOST_VIOLATIONS)
    .flatMap((body) => violationOf(body) ?? []);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/**
 * `{"csp-report": …}` is CSP's own format (https://www.w3.org/TR/CSP3/#deprecated-serialize-violation); a list of reports
 * of all types is the Reporting API's. Safari 16 sends one of these reports without the list.
 */
function bodiesIn(json: unknown): Fields[] {
  if (isObject(json) && isObject(json["csp-report"])) return [json["csp-report"]];
  return [json].flat().flatMap((report) => {
    const isViolation = isObject(report) && report["type"] === "csp-violation";
    return isViolation && isObject(report["body"]) ? [report["body"]] : [];
  });
}

function violationOf(body: Fields): Violation | null {
  const given = body["effectiveDirective"] ?? body["effective-directive"] ?? body["violated-directive"];
  const blocked = body["blockedURL"] ?? body["blocked-uri"];
  const source = body["sourceFile"] ?? body["source-file"];
  if (isExtension(blocked) || isExtension(source)) return null;
  const directive = directiveOf(given);
  const host = hostOf(blocked);
  return directive && host ? { directive, host } : null;
}

/** Those of CSP3 that can be violated. */
const directives = new Set(
  `base-uri child-src connect-src default-src font-src form-action frame-ancestors frame-src img-src manifest-src media-src
  object-src require-trusted-types-for sandbox script-src script-src-attr script-src-elem style-src style-src-attr
  style-src-elem trusted-types worker-src`.split(/\s+/),
);

/** Older browsers send the directive with its sources. */
function directiveOf(value: unknown) {
  const [name = ""] = typeof value === "string" ? value.trim().split(/\s/, 1) : [];
  return directives.has(name) ? name : null;
}

/** `https` of an address; a keyword is its own. */
const schemeOf = (text: string) => /^[a-z][a-z0-9+.-]{0,29}(?=:|$)/i.exec(text)?.[0].toLowerCase() ?? null;

/**
 * Of a visitor's browser extension, or of a script that it injects. The owner cannot act on such a report, and in Firefox
 * an extension's address identifies the browser. Safari masks the address.
 */
const isExtension = (value: unknown) =>
  typeof value === "string" && /(?:^|-)extension$|^webkit-masked-url$/.test(schemeOf(value) ?? "");

const WITH_HOST = ["http:", "https:", "ws:", "wss:"];
const ADDRESS = /^\[|^[\d.]+$/;

/** The longest host of the DNS. */
const MAX_HOST = 253;

/** Without port, path and query. A number may be that of a visitor's own network, so it is not stored. */
function hostOf(value: unknown) {
  if (typeof value !== "string") return null;
  const url = URL.parse(value);
  if (!url || !WITH_HOST.includes(url.protocol)) return schemeOf(value);
  if (ADDRESS.test(url.hostname)) return "ip-address";
  return url.hostname.length <= MAX_HOST ? url.hostname : null;
}
