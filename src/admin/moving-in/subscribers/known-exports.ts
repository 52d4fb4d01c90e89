import { simple, type Sign } from "./signs.ts";

/** The role of a known export's column whose header alone would mislead. */
export type KnownRole =
  /** Its header is ignored, its words count: a plan, or when it ends. */
  | "words"
  /** The same, and words of a status about leaving count too: “Declined”. */
  | "status words"
  /** Free text, which is ignored. */
  | "text"
  | { words: Record<string, Sign | "active" | "doubtful"> };

type Columns = {
  name: string;
  /** Columns that all of its files have, normalised by `simple`. */
  columns: string[];
  /** It has no other columns: exports with more columns are another program's. */
  hasNoOthers?: boolean;
  /** Whether a person pays there, from the cells below these headers. */
  memberOf?: (cell: (header: string) => string) => FutureMember | null;
};

type Rules = {
  /** The pattern of its files' names. */
  fileName?: RegExp;
  roles?: Record<string, KnownRole>;
  /** The role of columns with unknown headers, except the address. */
  otherColumns?: "left";
  /** A sign for everyone in the file, from its name. */
  everyone?: { sign: Sign; why: string };
  /** It lists members, which is not an agreement to letters: the owner is asked. */
  isOfMembers?: boolean;
  /** The column with the end of a pause that the person requested. */
  pausedUntil?: string;
  /** The column with the names of the topics that the person chose, with semicolons; empty for every letter. */
  topics?: string;
};

export type KnownExport = Columns &
  (
    | (Rules & { isUnverified?: undefined })
    /** No file of it was found: it has a name alone, and its columns mean what they would in any list. */
    | (Partial<Record<keyof Rules, undefined>> & { isUnverified: true })
  );

/** How a reader paid at the former service, so that the owner can invite them. */
export type FutureMember = "paid" | "comp" | "founding";

/**
 * Exports whose columns or names mean more than their words, each with its source; all others are read by the table of
 * signs. The first match counts.
 */
export const knownExports: KnownExport[] = [
  // https://mailchimp.com/help/view-export-contacts/ : one file for each kind of contact, named after it.
  {
    name: "Mailchimp: contacts who never subscribed",
    columns: [],
    fileName: /^non-?subscribed_.*(members|audience|segment|contacts|export)/i,
    everyone: { sign: "unsubscribed", why: "Mailchimp’s “nonsubscribed” contacts never agreed to letters" },
  },
  {
    name: "Mailchimp: unsubscribed contacts",
    columns: [],
    fileName: /^unsubscribed_.*(members|audience|segment|contacts|export)/i,
    everyone: { sign: "unsubscribed", why: "Mailchimp’s “unsubscribed” contacts left" },
  },
  {
    name: "Mailchimp: cleaned contacts",
    columns: [],
    fileName: /^cleaned_.*(members|audience|segment|contacts|export)/i,
    everyone: { sign: "bounced", why: "Letters to Mailchimp’s “cleaned” contacts bounced" },
  },
  { name: "Mailchimp", columns: ["email address", "optin time", "confirm time"] },
  // https://support.substack.com/hc/en-us/articles/360037829931 : the list in the zip of Settings, Exports.
  {
    name: "Substack",
    columns: ["email", "active subscription", "email disabled"],
    roles: { "active subscription": "words", plan: "words", expiry: "words" },
    memberOf: (cell) => (isYes(cell("active subscription")) ? planOf(cell("plan")) : null),
  },
  // https://support.substack.com/hc/en-us/articles/360059655192 : the table of subscribers, which omits people who
  // left.
  {
    name: "Substack’s table of subscribers",
    columns: ["email", "type", "stripe plan"],
    roles: {
      type: "words",
      "stripe plan": "words",
      // When the paid plan ended, or will end: the reader still gets letters.
      "cancel date": "words",
      "expiration date": "words",
      activity: "words",
    },
    memberOf: (cell) =>
      /^(subscriber|paid|comp|complimentary|gift|founding|founder|lifetime|free trial|group)/i.test(
        cell("type").trim(),
      )
        ? planOf(`${cell("type")} ${cell("stripe plan")}`)
        : null,
  },
  // https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/services/members/exporter : members-csv, unparse.js
  {
    name: "Ghost",
    columns: ["email", "subscribed to emails", "complimentary plan"],
    roles: { "complimentary plan": "words", tiers: "words", products: "words" },
    memberOf: (cell) => {
      if (isYes(cell("complimentary plan"))) return "comp";
      return `${cell("tiers")}${cell("products")}`.trim() === "" ? null : "paid";
    },
  },
  // https://www.beehiiv.com/support/article/12234988536215 : the full export.
  {
    name: "beehiiv",
    columns: ["email", "status", "tier", "created at"],
    roles: { tier: "words", "free tier": "words", "premium tier": "words" },
    memberOf: (cell) => (/premium|paid/i.test(cell("tier")) ? "paid" : null),
  },
  // The same page: the quick export.
  {
    name: "beehiiv",
    columns: ["email", "status", "subscription tier", "created at"],
    memberOf: (cell) => (/premium|paid/i.test(cell("subscription tier")) ? "paid" : null),
  },
  // https://docs.buttondown.com/exporting-subscribers
  {
    name: "Buttondown",
    columns: ["email", "subscriber type"],
    memberOf: (cell) => {
      const type = cell("subscriber type").trim();
      return /^gift/i.test(type) ? "comp" : /^(premium|churning|past_due)/i.test(type) ? "paid" : null;
    },
  },
  // https://github.com/phpList/phplist3/blob/main/public_html/lists/admin/structure.php : "optedin" is whether the
  // person confirmed by hand, which people added by the owner never did; "confirmed" is what counts.
  {
    name: "phpList",
    columns: ["email", "confirmed", "blacklisted"],
    roles: { optedin: "words", "opted in": "words", htmlemail: "words" },
  },
  {
    name: "phpList",
    columns: ["email", "is this subscriber confirmed", "is this subscriber blacklisted"],
    roles: { "did this subscriber manually confirm": "words", "send this subscriber html emails": "words" },
  },
  // https://github.com/wp-plugins/newsletter/blob/master/users/users.php, `export`: Email;Name;Surname;Gender;Status;Date;
  // Token;Profile 1…;List 1…;Feed by email;Follow up;IP;Referrer;Country. Before version 3, export.php wrote
  // Email,Name,Status,Token above lines with semicolons. The status is one letter.
  {
    name: "The Newsletter Plugin",
    columns: ["email", "status", "token"],
    roles: {
      status: { words: { c: "active", s: "pending", u: "unsubscribed", b: "bounced", p: "complained" } },
    },
  },
  // https://knowledge.hubspot.com/marketing-email/export-unsubscribes-and-bounces : true in the column of a subscription
  // type, of whatever name, is an opt-out from it.
  {
    name: "HubSpot: unsubscribes and bounces",
    columns: ["email", "portal bounce", "portal unsubscribe"],
    otherColumns: "left",
  },
  // https://support.patreon.com/hc/en-us/articles/360045545032 : the members' CSV of the relationship manager.
  {
    name: "Patreon",
    columns: ["email", "patron status"],
    roles: {
      "last charge status": "status words",
      "follows you": "words",
      "free member": "words",
      "free trial": "words",
      "access expiration": "words",
    },
    isOfMembers: true,
    memberOf: (cell) => (/^active/i.test(cell("patron status").trim()) ? "paid" : null),
  },
  // Sendy's includes/subscribers/export-csv.php, for example in https://github.com/tidvn/sendy : Name, Email, Joined, Last
  // activity, Added via, Opt-in method, IP address, Country, Country code, Signed up from, Status, GDPR. “GDPR” is no for
  // everyone who signed up without that field of the form, so that a no is only a question.
  {
    name: "Sendy",
    columns: ["name", "email", "joined", "last activity", "added via", "status"],
    roles: { gdpr: { words: { no: "doubtful", yes: "active" } } },
  },
  // https://help.steadyhq.com/en/articles/6265612 : `state` is a region, `subscription_state` that of the membership.
  {
    name: "Steady",
    columns: ["email", "subscription state", "plan name"],
    roles: {
      state: "words",
      "shipping state": "words",
      "plan name": "words",
      "new plan name": "words",
      gifted: "words",
      // A cancelled membership continues until it expires; then its state is “cancelled”.
      "cancelled at": "words",
      "expires at": "words",
      "trial ends at": "words",
      "price increase opt in email sent at": "words",
      "price increase opted in at": "words",
    },
    memberOf: (cell) =>
      /^(active|not_renewing|guest)/i.test(cell("subscription state").trim()) ? "paid" : null,
  },
  // This site's own export: worker/newsletter/export.ts
  {
    name: "this site",
    columns: ["email", "status", "subscribed at", "paused until", "consent"],
    roles: { consent: "text", "paused until": "words", "future member": "words", topics: "text" },
    pausedUntil: "paused until",
    topics: "topics",
    memberOf: (cell) =>
      /^(paid|comp|founding)$/.test(cell("future member")) ? (cell("future member") as FutureMember) : null,
  },
  // The columns of the following exports mean what their words say: they are listed so that the owner sees whose export
  // it is.
  // https://help.kit.com/en/articles/2502605-how-to-export-subscribers
  { name: "Kit", columns: ["first name", "email", "status", "created at", "tags"] },
  // The columns in importers of its files.
  { name: "Kit", columns: ["first name", "email address", "state", "created at", "tags"] },
  // A public importer's test of “a mailing service's own export”: https://github.com/search?q=%22Subscriber%2CName%2CLast+name%22&type=code
  { name: "MailerLite", columns: ["subscriber", "name", "last name"], hasNoOthers: true },
  // https://knowledgebase.constantcontact.com/email-digital-marketing/articles/KnowledgeBase/5873
  { name: "Constant Contact", columns: ["email address", "email status", "email permission status"] },
  // https://knowledge.hubspot.com/properties/hubspots-default-contact-properties
  { name: "HubSpot", columns: ["record id", "email", "unsubscribed from all email"] },
  // https://help.klaviyo.com/hc/en-us/articles/115005078967
  { name: "Klaviyo", columns: ["email", "email marketing consent", "email suppressions"] },
  // https://help.brevo.com/hc/en-us/articles/208740949
  { name: "Brevo", columns: ["email", "email blacklist", "added time"] },
  // https://developers.brevo.com/reference/request-contact-export
  { name: "Brevo", columns: ["email", "email marketing", "added time"] },
  // The columns in two importers of these files: Email, Name, Date Added (MM/DD/YY h:mmam), Stop Time, Stop Status as a
  // number, Misc, Ad Tracking, IP Address … A person who left or bounced has a stop time.
  // https://github.com/search?q=parseAWeberDate&type=code
  { name: "AWeber", columns: ["email", "stop time", "stop status"] },
  // https://github.com/mailpoet/mailpoet/blob/trunk/mailpoet/lib/Subscribers/ImportExport/ImportExportFactory.php
  { name: "MailPoet", columns: ["email", "list status", "global status"] },
  // https://listmonk.app/docs/apis/subscribers/
  { name: "listmonk", columns: ["uuid", "email", "attributes", "status"] },
  // https://support.squarespace.com/hc/en-us/articles/360046485652 ; two importers of the contacts' file read Email,
  // First Name, Last Name, Accepts Marketing, Mailing Lists, Subscriber Since, Subscriber Source, Created On, Tags.
  { name: "Squarespace", columns: ["email", "subscriber since", "accepts marketing"] },
  // https://help.shopify.com/en/manual/customers/import-export-customers
  { name: "Shopify", columns: ["email", "accepts email marketing", "total orders"] },
  { name: "Shopify", columns: ["email", "accepts marketing", "total orders"] },
  // https://support.wix.com/en/article/wix-contacts-exporting-your-contacts
  { name: "Wix", columns: ["email", "email subscriber status"] },
  // The columns of the following are those on the programs' help pages. No file, and no importer of one, was found in
  // public repositories by these columns or the program's name.
  // https://www.mailerlite.com/help/how-to-export-subscribers
  { name: "MailerLite", columns: ["subscriber", "sent", "opened", "clicked"], isUnverified: true },
  // https://help.activecampaign.com/hc/en-us/articles/220344648
  {
    name: "ActiveCampaign",
    columns: ["id", "email", "date created", "status", "bounced"],
    isUnverified: true,
  },
  // https://help.campaignmonitor.com/s/article/export-subscribers
  {
    name: "Campaign Monitor",
    columns: ["email address", "date subscribed", "consent to track"],
    isUnverified: true,
  },
  // https://support.squarespace.com/hc/en-us/articles/360001280708
  { name: "Squarespace", columns: ["email address", "subscribed on"], isUnverified: true },
  // https://memberful.com/help/general/member-account-management : the members' CSV; "Subscribed to posts" in later ones.
  {
    name: "Memberful",
    columns: ["email", "plan", "stripe customer id"],
    isUnverified: true,
    memberOf: (cell) => (cell("plan").trim() === "" ? null : "paid"),
  },
  // https://web.archive.org/web/2022/https://help.getrevue.co/en/articles/570016
  {
    name: "Revue",
    columns: ["email", "first name", "last name", "created at"],
    hasNoOthers: true,
    isUnverified: true,
  },
  {
    name: "Revue",
    columns: ["email", "first name", "last name", "created at", "unsubscribed at"],
    hasNoOthers: true,
    isUnverified: true,
  },
];

/** The program that wrote a file; null if no entry matches. */
export function knownExportOf(header: string[], fileName: string): KnownExport | null {
  const names = new Set(header.map(simple));
  return (
    knownExports.find(
      ({ columns, hasNoOthers, fileName: pattern }) =>
        columns.every((column) => names.has(simple(column))) &&
        (!hasNoOthers || names.size === columns.length) &&
        (!pattern || pattern.test(fileName)),
    ) ?? null
  );
}

/** The role that a known export defines for a column. */
export function knownRoleOf(known: KnownExport | null, header: string): KnownRole | null {
  const name = simple(header);
  return Object.entries(known?.roles ?? {}).find(([column]) => simple(column) === name)?.[1] ?? null;
}

const isYes = (cell: string) => /^(true|yes|1|t|y)$/i.test(cell.trim());

function planOf(plan: string): FutureMember {
  if (/found/i.test(plan)) return "founding";
  return /comp|gift|free/i.test(plan) ? "comp" : "paid";
}
