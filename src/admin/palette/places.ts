import type { OwnerHit } from "#worker/discovery/contract.ts";
import { capabilityOf, pageSlugs } from "#worker/pages/contract.ts";
import { editPath, LIST, pageNames } from "../pages/page-paths.ts";
import { tabs, type TabPath } from "../shell/tabs.ts";

export type Place = {
  label: string;
  to: string;
  /** Without it, the page is open to every user. */
  tab?: TabPath;
  /** Other words that it is looked for by. */
  words?: string;
};

/** Actions that are available everywhere. */
export const actions: Place[] = [
  { label: "New article", to: "/admin/articles/new", tab: "articles", words: "write essay post" },
  { label: "New episode", to: "/admin/podcast/new", tab: "podcast", words: "upload audio" },
  {
    label: "New letter",
    to: "/admin/newsletter/new",
    tab: "newsletter",
    words: "write newsletter mail send",
  },
  { label: "New media item", to: "/admin/media/new", tab: "media", words: "press release coverage" },
  { label: "New campaign", to: "/admin/media/campaigns/new", tab: "media", words: "petition crowdfund" },
  { label: "New social post", to: "/admin/media/posts/new", tab: "media", words: "x twitter linkedin" },
  { label: "New venture", to: "/admin/ventures/new", tab: "ventures", words: "business project" },
  { label: "Add Engagement", to: "/admin/speaking?add=", tab: "speaking", words: "new talk event" },
  {
    label: "Add subscriber",
    to: "/admin/newsletter/subscribers?add=",
    tab: "newsletter",
    words: "new reader email by hand",
  },
  { label: "Add a webhook", to: "/admin/settings/webhooks/new", tab: "settings", words: "new program" },
  { label: "Add User", to: "/admin/users?add=", tab: "users", words: "new invite editor admin" },
];

/** Pages below a tab. */
const pages: Place[] = [
  {
    label: "LinkedIn Import",
    to: "/admin/articles/linkedin",
    tab: "articles",
    words: "posts archive zip shares move",
  },
  {
    label: "Import articles",
    to: "/admin/articles/elsewhere",
    tab: "articles",
    words:
      "import bring from elsewhere move ghost substack wordpress rostrum wxr json zip export blog posts redirects restore",
  },
  { label: "Categories", to: "/admin/articles/categories", tab: "articles", words: "colour" },
  {
    label: "Update Content",
    to: "/admin/articles/update",
    tab: "articles",
    words: "batch markdown json front matter import render reading times broken links",
  },
  { label: "Pages", to: LIST, tab: "articles", words: "standing content" },
  ...pageSlugs.map((slug) => ({
    label: `${pageNames[slug]} page`,
    to: editPath(slug),
    tab: capabilityOf(slug) === "edit" ? ("articles" as const) : ("settings" as const),
    words: slug === "home" ? "front headline standfirst principles credentials building lead" : undefined,
  })),
  { label: "Campaigns", to: "/admin/media/campaigns", tab: "media", words: "petitions crowdfunding frame" },
  {
    label: "Social posts",
    to: "/admin/media/posts",
    tab: "media",
    words: "x twitter linkedin followers social proof",
  },
  {
    label: "Files",
    to: "/admin/podcast/files",
    tab: "podcast",
    words: "library uploads pictures images audio documents alt text",
  },
  {
    label: "The show",
    to: "/admin/podcast/show",
    tab: "podcast",
    words: "show artwork feed apple spotify",
  },
  {
    label: "People in the podcast",
    to: "/admin/podcast/people",
    tab: "podcast",
    words: "guests hosts profiles pictures links pages",
  },
  {
    label: "Move a podcast here",
    to: "/admin/podcast/move",
    tab: "podcast",
    words: "import rss feed host migrate transfer episodes anchor buzzsprout libsyn",
  },
  {
    label: "Automatic letters",
    to: "/admin/newsletter/automatic",
    tab: "newsletter",
    words: "digest template weekly daily monthly schedule campaign rss",
  },
  {
    label: "Subscribers",
    to: "/admin/newsletter/subscribers",
    tab: "newsletter",
    words: "readers audience list emails export unsubscribed bounced",
  },
  {
    label: "Import subscribers",
    to: "/admin/newsletter/subscribers/import",
    tab: "newsletter",
    words: "csv mailchimp substack beehiiv kit convertkit move",
  },
  {
    label: "Topics",
    to: "/admin/newsletter/topics",
    tab: "newsletter",
    words: "subjects themes preferences choose groups tags sections newsletters",
  },
  {
    label: "Members",
    to: "/admin/newsletter/members",
    tab: "newsletter",
    words: "membership supporters patrons tier export csv press guests free",
  },
  {
    label: "Tiers of members",
    to: "/admin/newsletter/members/tiers",
    tab: "newsletter",
    words: "membership levels supporter patron price",
  },
  {
    label: "A person’s data",
    to: "/admin/guests/person",
    tab: "guests",
    words: "privacy gdpr export delete everything held address",
  },
  {
    label: "Comments",
    to: "/admin/guests/comments",
    tab: "guests",
    words: "moderate approve reject spam readers answer replies",
  },
  {
    label: "Messages",
    to: "/admin/guests/messages",
    tab: "guests",
    words: "contact inbox questions answer reply spam",
  },
  {
    label: "Booking requests",
    to: "/admin/guests/bookings",
    tab: "guests",
    words: "speaking talk event enquiries spam",
  },
  {
    label: "Views, visitors and downloads",
    to: "/admin/analytics",
    tab: "analytics",
    words: "analytics statistics stats figures readers listeners countries apps sources export csv",
  },
  {
    label: "General settings",
    to: "/admin/settings/general",
    tab: "settings",
    words: "site name description time zone links supporter tiers figures",
  },
  {
    label: "Email settings",
    to: "/admin/settings/email",
    tab: "settings",
    words: "from name reply-to mails sent",
  },
  {
    label: "Feature settings",
    to: "/admin/settings/features",
    tab: "settings",
    words: "newsletter comments guest patreon switch",
  },
  {
    label: "Transcript settings",
    to: "/admin/settings/transcripts",
    tab: "settings",
    words: "transcribe recording whisper model speech key price workers ai",
  },
  {
    label: "Payment settings",
    to: "/admin/settings/payments",
    tab: "settings",
    words: "stripe card subscription price tier member money",
  },
  {
    label: "Security settings",
    to: "/admin/settings/security",
    tab: "settings",
    words: "password devices events",
  },
  {
    label: "Security log",
    to: "/admin/settings/security/log",
    tab: "settings",
    words: "audit events sign-ins refused csv download",
  },
  {
    label: "Webhooks",
    to: "/admin/settings/webhooks",
    tab: "settings",
    words: "programs events zapier automation api signed secret",
  },
  {
    label: "Programs",
    to: "/admin/settings/programs",
    tab: "settings",
    words: "api token key scopes mcp assistant automation integration",
  },
  {
    label: "Export",
    to: "/admin/settings/export",
    tab: "settings",
    words: "download zip markdown json backup copy move out",
  },
  {
    label: "Restore",
    to: "/admin/settings/restore",
    tab: "settings",
    words: "archive zip export backup move in new site",
  },
  {
    label: "System",
    to: "/admin/settings/system",
    tab: "settings",
    words: "plan free paid limits usage requests rows cloudflare quota",
  },
  {
    label: "Failed deliveries",
    to: "/admin/settings/failures",
    tab: "settings",
    words: "mails errors dead letters retry queue",
  },
  {
    label: "Bin",
    to: "/admin/bin",
    tab: "articles",
    words: "deleted trash recycle restore undelete undo removed",
  },
  { label: "Your account", to: "/admin/account", words: "password devices name email" },
];

export const places: Place[] = [
  ...tabs.map(({ label, path }) => ({ label, to: `/admin/${path}`, tab: path })),
  ...pages,
];

/** Where something is edited. */
export const pathOf: { [Kind in OwnerHit["kind"]]: (id: string | number) => string } = {
  article: (id) => `/admin/articles/${id}`,
  episode: (id) => `/admin/podcast/${id}`,
  press: (id) => `/admin/media/${id}`,
  campaign: (id) => `/admin/media/campaigns/${id}`,
  venture: (id) => `/admin/ventures/${id}`,
  engagement: (id) => `/admin/speaking?edit=${id}`,
  category: (id) => `/admin/articles/categories?edit=${id}`,
  letter: (id) => `/admin/newsletter/${id}`,
  user: (id) => `/admin/users?edit=${id}`,
};
