import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parseAst } from "vite";
import { z } from "zod";
import { maxBytes, folders, type FileFolder } from "../worker/files/contract.ts";
import { freeBounds, included } from "../worker/platform/plan-limits.ts";
import { root } from "./tools.ts";

/**
 * The limits that the owner may look for, as docs/limits.md lists them. The amounts are those of the code: constants of
 * modules, most of which are private or load in workerd only, are read from the source.
 */

type Unit = "ms" | "seconds" | "minutes" | "days" | "bytes" | "MB" | (string & {});
type Place = `${string} ${string}`;
/** What is limited, the unit, and the file below worker/ with its constant; a part of an object after a dot. */
type Entry = [what: string, unit: Unit, place: Place];

const constants: Record<string, Entry[]> = {
  "Signing in": [
    ["A link that confirms an address", "seconds", "accounts/account-links.ts LASTS.verify-user"],
    ["A link that confirms a changed address", "seconds", "accounts/account-links.ts LASTS.change-address"],
    ["An invitation", "seconds", "accounts/account-links.ts LASTS.invite"],
    ["A link to choose a new password", "seconds", "accounts/account-links.ts LASTS.reset-password"],
    ["A passkey's challenge", "seconds", "webauthn/ceremonies.ts CHALLENGE_LASTS"],
    ["A session that is not used", "ms", "accounts/session-token.ts MAX_IDLE_MS"],
    ["A session", "ms", "accounts/session-token.ts MAX_SESSION_MS"],
    ["A proof of who the user is, for what needs a recent one", "ms", "access/capabilities.ts PROOF_LASTS"],
    ["The same, to end what it began", "ms", "access/capabilities.ts PROOF_LASTS_FOR_PARTS"],
    ["The permit for the parts of an export", "seconds", "exports/require-export.ts PERMIT_LASTS"],
    ["A member's session without use", "ms", "members/sessions.ts MAX_IDLE_MS"],
    ["A member's session in any case", "ms", "members/sessions.ts MAX_MEMBER_SESSION_MS"],
    ["Devices of a member", "", "members/sessions.ts MOST_DEVICES"],
    ["A member's sign-in, to add or remove a passkey", "ms", "members/sessions.ts RECENT_MS"],
    ["New passkeys of a member", "an hour", "members/account/passkey-commands.ts ADDITIONS_AN_HOUR"],
    ["The token of a session from before a proof", "ms", "accounts/sessions.ts FORMER_TOKEN_MS"],
    ["Passkeys of a user, and of a member", "", "webauthn/contract.ts MOST_PASSKEYS"],
    [
      "The code of an authenticator app, after the password",
      "seconds",
      "accounts/second-factor.ts CODE_WITHIN",
    ],
    ["Wrong codes without a wait", "", "accounts/attempts.ts CODE_LIMIT.free"],
    ["The longest wait after wrong codes", "seconds", "accounts/attempts.ts CODE_LIMIT.longest"],
    ["Recovery codes of a user", "", "accounts/recovery-codes.ts CODES"],
    ["The link of a notice, “It was not me”", "seconds", "accounts/account-links.ts LASTS.not-me"],
    ["A known device, after its last sign-in", "ms", "accounts/devices.ts DEVICE_KNOWN_MS"],
    ["Failed sign-ins, after which Turnstile is asked", "", "accounts/attempts.ts BEFORE_ROBOT_CHECK"],
    ["A key of links that expire, until its replacement", "ms", "platform/http/signing-keys.ts KEY_LASTS"],
    [
      "New names of one's own account and passkeys",
      "an hour",
      "accounts/request-commands.ts RENAMES_AN_HOUR",
    ],
    ["API tokens of a user", "", "accounts/contract.ts MOST_TOKENS"],
    ["Requests of an API token", "an hour", "accounts/tokens.ts REQUESTS_AN_HOUR"],
    ["Characters of a password, at least", "", "accounts/contract.ts MIN_PASSWORD"],
    ["Characters of a password, at most", "", "accounts/contract.ts MAX_PASSWORD"],
    ["Logged refusals of a kind: of a user, of all visitors", "an hour", "accounts/refusals.ts MOST_AN_HOUR"],
    [
      "Refused inputs of a user or an address, until one entry is logged",
      "an hour",
      "accounts/refusals.ts MOST_MISTYPED",
    ],
    ["Logged failed sign-ins, together", "an hour", "accounts/refusals.ts MOST_SIGN_INS_AN_HOUR"],
  ],
  Emails: [
    ["From the account pages to one mailbox", "an hour", "accounts/request-commands.ts MAILS_AN_HOUR"],
    [
      "From the account pages, asked for by one address",
      "an hour",
      "accounts/request-commands.ts REQUESTS_AN_HOUR",
    ],
    ["To users, caused by one signed-in user", "an hour", "accounts/request-commands.ts USER_MAILS_AN_HOUR"],
    ["Notices about an account, such as exports", "an hour", "accounts/notices.ts NOTICES_AN_HOUR"],
    ["Notices about new devices of one user", "an hour", "accounts/devices.ts NEW_DEVICES_AN_HOUR"],
    ["From the newsletter forms to one mailbox", "an hour", "newsletter/commands.ts MAILS_AN_HOUR"],
    [
      "From the newsletter forms, asked for by one address",
      "an hour",
      "newsletter/commands.ts REQUESTS_AN_HOUR",
    ],
    ["Links that sign a member in, to one mailbox", "an hour", "members/account/commands.ts MAILS_AN_HOUR"],
    [
      "Links that sign a member in, to one mailbox by one address",
      "an hour",
      "members/account/commands.ts MAILS_FOR_AN_ADDRESS",
    ],
    [
      "Links that sign a member in, asked for by one address",
      "an hour",
      "members/account/commands.ts REQUESTS_AN_HOUR",
    ],
    [
      "Pages at Stripe for joining, from one address",
      "an hour",
      "payments/checkout-commands.ts CHECKOUTS_AN_HOUR",
    ],
    ["A link that signs a member in", "seconds", "members/sign-in-mail.ts SIGN_IN_LASTS"],
    ["To confirm a comment, to one mailbox", "an hour", "comments/commands.ts MAILS_AN_HOUR"],
    ["To confirm an enquiry, to one mailbox", "an hour", "enquiries/record-enquiry.ts MAILS_AN_HOUR"],
    ["To confirm apparent spam, in total", "an hour", "spam/judge.ts DOUBTFUL_MAILS_AN_HOUR"],
    ["Answers to enquiries by one user", "an hour", "enquiries/owner/mail-commands.ts MOST"],
    ["Of a returned email that is read", "bytes", "bounces/receive.ts MOST_OF_A_REPORT"],
    ["Test letters by one user", "an hour", "letters/test-commands.ts MOST"],
    ["Test emails by one user", "an hour", "settings/test-mail-commands.ts MOST"],
    ["A link that confirms a subscription", "seconds", "newsletter/confirmation.ts VERIFY_LASTS"],
    ["A link that confirms an enquiry", "seconds", "enquiries/mails.ts CONFIRM_LASTS"],
    ["Soft bounces, after which no letter is sent", "", "newsletter/bounce-commands.ts MOST_SOFT_BOUNCES"],
    ["A letter's question without a date for its end", "ms", "letters/sending-commands.ts QUESTION_LASTS"],
    ["A letter's question in any case", "ms", "letters/sending-commands.ts QUESTION_LASTS_AT_MOST"],
    ["A letter's HTML, beyond which mail programs cut it", "bytes", "letters/check.ts MOST_BYTES"],
  ],
  Webhooks: [
    ["Tests", "an hour", "webhooks/commands.ts TESTS_AN_HOUR"],
    ["How long a receiver may take to answer", "ms", "webhooks/deliver.ts TIMEOUT_MS"],
    ["A former secret, after a rotation", "ms", "webhooks/commands.ts FORMER_MS"],
  ],
  "Requests of one address": [
    ["Comments", "an hour", "comments/commands.ts COMMENTS_AN_HOUR"],
    ["Enquiries of one kind", "an hour", "enquiries/record-enquiry.ts ENQUIRIES_AN_HOUR"],
    ["New playlists", "an hour", "playlists/api.ts MOST_NEW_AN_HOUR"],
    ["New listeners", "an hour", "playlists/new-listeners.ts NEW_LISTENERS_AN_HOUR"],
    ["Pictures for sharing that are drawn", "an hour", "sharing/pictures.ts MOST_DRAWN"],
    [
      "All of these of an IPv6 /48, as a multiple of one address",
      "times",
      "platform/http/rate.ts ADDRESSES_OF_NETWORK",
    ],
  ],
  "Reports of the content policy": [
    [
      "Different directives and hosts of a day, with a row each",
      "",
      "csp-reports/commands.ts MOST_ROWS_A_DAY",
    ],
    ["Counted reports of a day", "", "csp-reports/contract.ts MOST_REPORTS_A_DAY"],
    ["Counted reports of one request", "", "csp-reports/read-report.ts MOST_VIOLATIONS"],
    ["How long they are stored", "days", "csp-reports/contract.ts REPORTS_KEPT_DAYS"],
  ],
  "A request's body": [
    ["Signing in and its links", "bytes", "api.ts BODY_BYTES.open"],
    ["A public form without scripts", "bytes", "platform/http/forms.ts MAX_BODY"],
    ["Analytics events", "bytes", "analytics/contract.ts MAX_EVENTS_BYTES"],
    ["A report of the mail provider", "bytes", "api.ts BODY_BYTES.mailWebhook"],
    ["Reports of what a page's content policy blocked", "bytes", "csp-reports/api.ts MAX_REPORTS_BYTES"],
    ["Articles, episodes, letters, pages, press and imports", "bytes", "api.ts BODY_BYTES.longTexts"],
    ["A piece of an archive that is restored", "bytes", "api.ts BODY_BYTES.piece"],
    ["Everything else of the API", "bytes", "api.ts BODY_BYTES.other"],
  ],
  "Texts, pictures and recordings": [
    ["Pixels of a picture", "", "files/pictures/picture-headers.ts MOST_PIXELS"],
    ["The longest side of a picture", "pixels", "files/pictures/picture-headers.ts LONGEST_SIDE"],
    ["An episode's length", "seconds", "episodes/contract.ts MAX_SECONDS"],
    ["Chapters of an episode", "", "episodes/contract.ts MOST_CHAPTERS"],
    ["Lines of a Markdown text", "", "platform/text/costly-markdown.ts MAX_LINES"],
    ["Nested lists and quotations in Markdown", "", "platform/text/costly-markdown.ts MAX_DEPTH"],
    ["A feed's document, after which it has pages", "bytes", "episodes/rss.ts MAX_DOCUMENT"],
    ["Versions of an item", "", "revisions/record-revision.ts MAX_REVISIONS"],
    ["Words of a search", "", "discovery/words.ts MAX_WORDS"],
    ["Characters of a search", "", "discovery/words.ts MAX_CHARACTERS"],
  ],
  "Numbers of items": [
    ["Webhooks", "", "webhooks/contract.ts MOST_WEBHOOKS"],
    ["Ventures", "", "ventures/contract.ts MOST_VENTURES"],
    ["Tiers of members", "", "members/contract.ts MOST_TIERS"],
    ["Topics of letters", "", "topics/contract.ts MOST_TOPICS"],
    ["Automatic letters", "", "automatic-letters/contract.ts MOST_AUTOMATIC_LETTERS"],
    ["Items of a digest", "", "automatic-letters/contract.ts MOST_DIGEST_ITEMS"],
    ["From a publication to its automatic letter", "minutes", "automatic-letters/contract.ts WAIT_MINUTES"],
    ["That it sends for publications", "a day", "automatic-letters/contract.ts MOST_SENT_A_DAY"],
    [
      "Transcriptions and proposals started for an episode",
      "a day",
      "models/limit-starts.ts MOST_STARTS.episode",
    ],
    ["Those of all episodes", "a day", "models/limit-starts.ts MOST_STARTS.site"],
    ["Petitions", "", "campaigns/contract.ts MOST_CAMPAIGNS"],
    ["Playlists of a listener", "", "playlists/contract.ts MOST_PLAYLISTS"],
    ["Episodes of a playlist", "", "playlists/contract.ts MOST_ITEMS"],
    ["Addresses of a sitemap's document", "", "discovery/sitemap.ts MAX_ENTRIES"],
  ],
  "Moving in": [
    ["A feed", "bytes", "imports/feed/read-feed.ts MOST_BYTES"],
    ["Pages of a feed", "", "imports/feed/read-feed.ts MOST_PAGES"],
    ["Episodes of a feed", "", "imports/feed/commands.ts MOST_EPISODES"],
    ["A transcript or chapter file", "bytes", "imports/feed/side-files.ts MOST_TEXT"],
    ["Redirects of an address", "", "platform/http/outgoing.ts MOST_REDIRECTS"],
    ["Redirects of a podcast's audio", "", "imports/feed/download.ts MOST_REDIRECTS"],
    ["How long another server may say nothing", "ms", "imports/feed/download.ts PATIENCE"],
    ["An export of another site, and each file in it", "bytes", "imports/importers/site.ts MOST_BYTES"],
    ["Pictures of an article", "", "imports/importers/contract.ts MOST_PICTURES"],
    ["Characters of an item", "", "imports/contract.ts MAX_PAYLOAD"],
  ],
  "How long data is stored": [
    ["Deleted items in the bin", "days", "bin/contract.ts BIN_DAYS"],
    ["A subscription that is not confirmed", "ms", "newsletter/commands.ts UNCONFIRMED_RETENTION"],
    ["A comment that is not confirmed", "ms", "comments/commands.ts UNCONFIRMED_RETENTION"],
    ["An enquiry that is not confirmed", "ms", "enquiries/confirm-commands.ts UNCONFIRMED_RETENTION"],
    ["Spam", "ms", "spam/judge.ts SPAM_RETENTION"],
    ["Data of a listener who does not return", "ms", "playlists/retention.ts RETENTION"],
    ["Security events", "ms", "accounts/log-chain.ts RETENTION"],
    ["Addresses in events that strangers cause", "ms", "accounts/log-chain.ts STRANGERS_RETENTION"],
    ["Emails and other outgoing work that is done", "ms", "platform/work/outbox.ts KEEP_MS"],
    ["Deliveries to webhooks", "ms", "webhooks/deliver.ts KEEP_MS"],
    ["An import's list of items, after its end", "ms", "imports/retention.ts KEEP_ENDED_MS"],
    ["An import that was not started", "ms", "imports/retention.ts KEEP_OPEN_MS"],
    ["A restore, after its end", "ms", "restores/staging.ts KEEP_MS"],
    ["Files that nothing uses", "ms", "files/library/sweep.ts RETURN_MS"],
    ["Pictures for sharing that are not asked for", "ms", "sharing/pictures.ts KEEP_MS"],
    ["Reports of bounces", "ms", "bounces/commands.ts KEEP_MS"],
    ["Notices of payments", "ms", "payments/notices.ts KEEP_MS"],
    ["Numbers of stored analytics batches", "ms", "analytics/commands.ts KEEP_BATCHES_MS"],
    ["A preview link", "ms", "previews/preview-links.ts LASTS"],
    ["Copies, at least", "days", "backups/retention.ts LOCK_DAYS"],
  ],
};

/** Constants with such a name are about time or rates, and are above or here. */
const ABOUT_TIME = /(?:_AN_HOUR|RETENTION|LASTS|^KEEP_MS|^KEEP_\w+_MS|_DAYS)$/;

/** How the code works, not what an owner or a visitor meets. */
const internal = [
  "accounts/account-links.ts SETUP_PROOF_LASTS",
  "accounts/contract.ts GRACE_DAYS",
  "accounts/contract.ts TOKEN_DAYS",
  "analytics/collector.ts FLAG_LASTS",
  "analytics/contract.ts MAX_DAYS",
  "analytics/days.ts SPAN_DAYS",
  "analytics/period.ts DEFAULT_DAYS",
  "backups/queries.ts COMPARED_DAYS",
  "backups/queries.ts COPY_DAYS",
  "backups/queries.ts DRILL_DAYS",
  "backups/retention.ts PIECE_DAYS",
  "comments/waiting-notice.ts ONE_AN_HOUR",
  "discovery/documents.ts SECURITY_TEXT_LASTS",
  "platform/http/cache.ts FLAG_LASTS",
  "platform/work/outbox.ts KEEP_UNUSED_MS",
  "settings/contract.ts KEEP_DAYS",
  "sharing/pictures.ts FLAG_LASTS",
];

/** Constants about time or rates that the document does not mention. */
export function unlistedConstants() {
  const listed = Object.values(constants).flatMap((entries) => entries.map(([, , place]) => place));
  const isKnown = (place: string) =>
    [...listed, ...internal].some((known) => known === place || known.startsWith(`${place}.`));
  return globSync("worker/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/").slice("worker/".length))
    .flatMap((file) =>
      [...readFileSync(join(root, "worker", file), "utf8").matchAll(/^(?:export )?const ([A-Z][A-Z_]+)\b/gm)]
        .filter(([, name]) => ABOUT_TIME.test(name!))
        .map(([, name]) => `${file} ${name}`),
    )
    .filter((place) => !isKnown(place));
}

type Expression = {
  type: string;
  value?: unknown;
  name?: string;
  operator?: string;
  left?: Expression;
  right?: Expression;
  properties?: { key: Expression; value: Expression }[];
};

/** The value of a constant's expression of numbers, sums and objects. */
function valueOf(node: Expression, scope: Map<string, unknown>): unknown {
  if (node.type === "Literal") return node.value;
  if (node.type === "Identifier") return scope.get(node.name!);
  if (node.type === "ObjectExpression")
    return Object.fromEntries(
      // Without those of another object (`...OTHER`), which has them in its own file.
      node
        .properties!.filter(({ key }) => key)
        .map(({ key, value }) => [key.name ?? key.value, valueOf(value, scope)]),
    );
  if (node.type !== "BinaryExpression") return undefined;
  const [left, right] = [valueOf(node.left!, scope), valueOf(node.right!, scope)] as [number, number];
  if (node.operator === "*") return left * right;
  return node.operator === "+" ? left + right : undefined;
}

type Statement = {
  type: string;
  declaration?: Statement;
  declarations?: { id: { name: string }; init: Expression }[];
};

const scopes = new Map<string, Map<string, unknown>>();

/** The constants of a module whose values are numbers, or objects of them. */
function constantsOf(file: string) {
  const known = scopes.get(file);
  if (known) return known;
  const source = readFileSync(join(root, "worker", file), "utf8");
  const scope = new Map<string, unknown>();
  for (const statement of parseAst(source, { lang: "ts" }).body as unknown as Statement[]) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { id, init } of declarations) if (init) scope.set(id.name, valueOf(init, scope));
  }
  scopes.set(file, scope);
  return scope;
}

/** @throws if there is no such constant, or it is no number */
function amountAt(place: Place) {
  const [file, path] = place.split(" ") as [string, string];
  const [name, part] = path.split(".") as [string, string | undefined];
  const value = constantsOf(file).get(name);
  const amount = part === undefined ? value : (value as Record<string, unknown> | undefined)?.[part];
  if (typeof amount !== "number" || !Number.isFinite(amount))
    throw new Error(`scripts/limits-table.ts names ${place}, which is no number there.`);
  return amount;
}

const KB = 1024;
const SCALES: Record<string, [size: number, name: string][]> = {
  ms: [
    [86_400_000, "days"],
    [3_600_000, "hours"],
    [60_000, "minutes"],
    [1000, "seconds"],
  ],
  seconds: [
    [86_400, "days"],
    [3600, "hours"],
    [60, "minutes"],
    [1, "seconds"],
  ],
  bytes: [
    [KB * KB, "MiB"],
    [KB, "KiB"],
    [1_000_000, "MB"],
    [1000, "kB"],
  ],
};

/** An amount in the largest unit of which it is a whole multiple. */
export function say(amount: number, unit: Unit) {
  const scale = SCALES[unit]?.find(([size]) => amount % size === 0);
  const [size, name] = scale ?? [1, unit];
  const number = (amount / size).toLocaleString("en");
  return [number, amount / size === 1 ? name.replace(/s$/, "") : name].filter(Boolean).join(" ");
}

type Row = string[];

const tableOf = (heads: Row, rows: Row[]) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const link = (file: string, text = file) => `[\`${text}\`](../worker/${file})`;

function constantsTable(entries: Entry[]) {
  const rows = entries.map(([what, unit, place]) => {
    const [file, name] = place.split(" ") as [string, string];
    return [what, say(amountAt(place), unit), `\`${name}\` in ${link(file)}`];
  });
  return tableOf(["limit", "amount", "place"], rows);
}

function uploadsTable() {
  const rows = (Object.keys(folders) as FileFolder[]).map((folder) => [
    `\`${folder}\``,
    folders[folder].accept.map((type) => `\`${type}\``).join(", "),
    `less than ${say(maxBytes(folder), "bytes")}`,
  ]);
  return tableOf(["folder", "types", "a file"], rows);
}

type WranglerToml = {
  ratelimits: { name: string; simple: { limit: number; period: number } }[];
  queues: {
    consumers: { queue: string; max_batch_size: number; max_retries?: number; retry_delay?: number }[];
  };
};

function platformTable() {
  const { ratelimits, queues } = parseToml(
    readFileSync(join(root, "wrangler.toml"), "utf8"),
  ) as unknown as WranglerToml;
  const bursts = ratelimits.map(({ name, simple }) => [
    `Requests of one address to one route (\`${name}\`)`,
    `${simple.limit} in ${simple.period} seconds`,
  ]);
  const retries = queues.consumers.flatMap(({ queue, max_retries, retry_delay }) =>
    max_retries
      ? [[`Tries of a message of \`${queue}\``, `${max_retries + 1}, ${retry_delay} seconds apart`]]
      : [],
  );
  return tableOf(["limit in `wrangler.toml`", "amount"], [...bursts, ...retries]);
}

function plansTable() {
  const amounts = Object.entries(included).map(([name, { free, paid, source }]) => [
    name,
    `${say(free.amount, "")} a${free.per === "account" ? "n account" : " day"}`,
    `${say(paid.amount, "")} a${paid.per === "account" ? "n account" : " month"}`,
    source,
  ]);
  const bounds = Object.entries(freeBounds).map(([name, { amount, source }]) => [
    name,
    say(amount, ""),
    "",
    source,
  ]);
  return tableOf(["Cloudflare's", "free plan", "paid plan", "source"], [...amounts, ...bounds]);
}

type Schema = {
  maxLength?: number;
  maximum?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  $defs?: Record<string, Schema>;
} & Partial<Record<"anyOf" | "oneOf" | "allOf", Schema[]>>;

/** A date's, and the largest safe integer: no limits of a field. */
const LARGEST = 8_640_000_000_000_000;

/** Each limited field of a schema: its path, and its limit in words. */
function* fieldsOf(schema: Schema, path = ""): Generator<[path: string, limit: string]> {
  const { maxLength, maximum, maxItems } = schema;
  if (maxLength !== undefined) yield [path, say(maxLength, "characters")];
  if (maxItems !== undefined) yield [path, say(maxItems, "items")];
  if (maximum !== undefined && maximum < LARGEST) yield [path, `at most ${say(maximum, "")}`];
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* fieldsOf(property, path ? `${path}.${name}` : name);
  if (schema.items) yield* fieldsOf(schema.items, `${path}[]`);
  for (const part of [schema.anyOf, schema.oneOf, schema.allOf])
    for (const each of part ?? []) yield* fieldsOf(each, path);
  for (const each of Object.values(schema.$defs ?? {})) yield* fieldsOf(each, path);
}

/** Of one contract: each limit with its fields, and the schemas that have them. */
async function fieldRows(file: string): Promise<Row[]> {
  const exported = (await import(join(root, "worker", file))) as Record<string, unknown>;
  const bySchemas = new Map<string, Set<string>>();
  for (const name of Object.keys(exported).toSorted()) {
    const schema = exported[name];
    if (!(schema instanceof z.ZodType)) continue;
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
    for (const [path, limit] of fieldsOf(json)) {
      const key = `${path || "itself"}\n${limit}`;
      bySchemas.set(key, (bySchemas.get(key) ?? new Set()).add(name));
    }
  }
  return [...bySchemas].map(([key, schemas]) => {
    const [path, limit] = key.split("\n") as [string, string];
    return [`\`${path}\``, limit, [...schemas].map((name) => `\`${name}\``).join(", ")];
  });
}

async function fieldTables() {
  const files = globSync("worker/**/contract.ts", { cwd: root }).map((path) =>
    path.replaceAll("\\", "/").slice("worker/".length),
  );
  const parts = await Promise.all(
    files.toSorted().map(async (file) => ({ file, rows: await fieldRows(file) })),
  );
  return parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ file, rows }) => `### ${link(file)}\n\n${tableOf(["field", "limit", "schemas"], rows)}`)
    .join("\n\n");
}

/** The text of docs/limits.md, before the formatter aligns its tables. */
export async function limitsDocument() {
  const groups = Object.entries(constants).map(
    ([title, entries]) => `## ${title}\n\n${constantsTable(entries)}`,
  );
  return `# Limits

Written by \`npm run limits\` from the code, which has each number once. What follows a limit of requests is a 429 with
\`Retry-After\`; of a body 413; of a field 422 with the field's name. Why they are as they are is in
[0020](decisions/0020-limits-and-retention.md), [0022](decisions/0022-costly-texts.md) and
[0081](decisions/0081-work-in-small-steps.md).

${groups.join("\n\n")}

## Uploads

${uploadsTable()}

## Bindings

${platformTable()}

## Cloudflare

Looked up in Cloudflare's documentation (\`worker/platform/plan-limits.ts\` has the day of each).

${plansTable()}

## Fields

What a request may send, from the schemas that the commands parse it with. A longer value is refused with a message at its field.

${await fieldTables()}
`;
}
