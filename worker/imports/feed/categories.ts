import categories from "podcast-categories";
import { childrenOf, attributeOf, childOf, type Node } from "#worker/imports/feed/node.ts";
import { lineOf } from "#worker/imports/feed/values.ts";

type Category = { category: string; subcategory?: string };

/** Apple's categories from before August 2019, with Apple's replacements; "" is for all that are not named. */
const retired: Record<string, Record<string, string>> = {
  arts: { literature: "Arts > Books" },
  business: {
    "business news": "News > Business News",
    "management & marketing": "Business > Management",
    shopping: "Business",
  },
  education: {
    "educational technology": "Education",
    "education technology": "Education",
    "higher education": "Education",
    "k-12": "Education",
    "language courses": "Education > Language Learning",
    training: "Education",
  },
  "games & hobbies": {
    "": "Leisure",
    automotive: "Leisure > Automotive",
    aviation: "Leisure > Aviation",
    hobbies: "Leisure > Hobbies",
    "other games": "Leisure > Games",
    "video games": "Leisure > Video Games",
  },
  "government & organizations": { "": "Government", "non-profit": "Business > Non-Profit" },
  health: {
    "": "Health & Fitness",
    "alternative health": "Health & Fitness > Alternative Health",
    "fitness & nutrition": "Health & Fitness > Fitness",
    "self-help": "Education > Self-Improvement",
    sexuality: "Health & Fitness > Sexuality",
  },
  "news & politics": { "": "News" },
  "science & medicine": {
    "": "Science",
    medicine: "Health & Fitness > Medicine",
    "natural sciences": "Science > Natural Sciences",
    "social sciences": "Science > Social Sciences",
  },
  "society & culture": { history: "History" },
  "sports & recreation": { "": "Sports", outdoor: "Sports > Wilderness" },
  technology: {
    gadgets: "Technology",
    podcasting: "Technology",
    "software how-to": "Technology",
    "tech news": "News > Tech News",
  },
};

const lists = Object.entries(categories).filter(
  ([name]) => !Object.hasOwn(retired[name.toLowerCase()] ?? {}, ""),
);
const simple = (name: string) =>
  name
    .toLowerCase()
    .replace(/\band\b/g, "&")
    .replace(/\s+/g, " ")
    .trim();

/** The first of a channel's categories that Apple lists, or that it listed once. */
export function categoryOf(channel: Node): Partial<Category> {
  for (const name of ["itunes:category", "googleplay:category"])
    for (const node of childrenOf(channel, name)) {
      const found = listed(nameOf(node), nameOf(childOf(node, name)));
      if (found) return found;
    }
  return {};
}

const nameOf = (node: Node | undefined) =>
  simple(lineOf(attributeOf(node, "text") || String(node?.["#text"] ?? ""), 100));

function listed(name: string, subname: string): Category | null {
  const former = Object.hasOwn(retired, name) ? retired[name]! : {};
  const successor =
    (Object.hasOwn(former, subname) && subname !== "" ? former[subname] : undefined) ?? former[""];
  if (successor) {
    const [category = "", subcategory] = successor.split(" > ");
    return { category, ...(subcategory && { subcategory }) };
  }
  const [category, subs = {}] = lists.find(([each]) => simple(each) === name) ?? [];
  if (category) {
    const subcategory = Object.keys(subs).find((each) => simple(each) === subname);
    return { category, ...(subcategory && { subcategory }) };
  }
  // Some write a subcategory alone.
  for (const [parent, all] of lists) {
    const subcategory = Object.keys(all).find((each) => simple(each) === name);
    if (subcategory) return { category: parent, subcategory };
  }
  return null;
}
