import { pages, type PagePath } from "#worker/addresses.ts";
import type { ContentType, Counted, TopContent } from "#worker/analytics/contract.ts";

export const contentTypeNames: Record<ContentType, string> = {
  article: "Article",
  episode: "Episode",
  page: "Page",
};

/** A page's name in the navigation, if it has one that fits all of its addresses. */
export function titleOf({ contentType, title }: Pick<TopContent, "contentType" | "title">) {
  const label = contentType === "page" ? pages[title as PagePath]?.label : undefined;
  return label === undefined || label.includes(":") ? title : label;
}

export const sourceNames: Record<string, string> = { "": "Direct", other: "Other sites" };

type Group = "reading" | "listening" | "signups" | "sharing";

/** Names of events counted in visits, in the order shown. */
const actionNames: Record<Group, Record<string, string>> = {
  reading: {
    "scroll_depth:25": "Scrolled 25%",
    "scroll_depth:50": "Scrolled 50%",
    "scroll_depth:75": "Scrolled 75%",
    "scroll_depth:90": "Scrolled 90%",
    "time_on_page:30": "Stayed 30 seconds",
    "time_on_page:60": "Stayed 1 minute",
    "time_on_page:300": "Stayed 5 minutes",
  },
  listening: { podcast_play: "Started the player", podcast_complete: "Listened to the end" },
  signups: {
    "newsletter_signup:inline_subscribe": "Form on a page",
    "newsletter_signup:exit_intent_popup": "Pop-up",
    "newsletter_signup:footer": "Footer",
    "newsletter_signup:page": "Newsletter page",
  },
  sharing: {
    "engagement:share": "Shared",
    "engagement:copy_link": "Copied a link",
    "engagement:download": "Saved audio",
    "engagement:favorite": "Added to favourites",
    "engagement:add_to_playlist": "Added to a playlist",
    "engagement:comment": "Commented",
    search: "Searched the site",
    "social_click:x": "Went to X",
    "social_click:youtube": "Went to YouTube",
    "social_click:linkedin": "Went to LinkedIn",
    "social_click:instagram": "Went to Instagram",
    "social_click:facebook": "Went to Facebook",
    "social_click:whatsapp": "Went to WhatsApp",
    "social_click:email": "Started an email",
    "social_click:apple": "Went to Apple Podcasts",
    "social_click:spotify": "Went to Spotify",
    "social_click:google": "Went to Google",
    "social_click:amazon": "Went to Amazon Music",
    "social_click:rss": "Opened the feed",
    "social_click:patron": "Went to support the show",
  },
};

/** The rows of a group. Milestones stay in order, with zeros; of actions only those that occurred, most first. */
export function actionsOf(group: Group, actions: Counted[]): Counted[] {
  const counts = new Map(actions.map(({ name, count }) => [name, count]));
  const rows = Object.entries(actionNames[group]).map(([name, label]) => ({
    name: label,
    count: counts.get(name) ?? 0,
  }));
  if (rows.every(({ count }) => count === 0)) return [];
  if (group === "reading" || group === "listening") return rows;
  return rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
}
