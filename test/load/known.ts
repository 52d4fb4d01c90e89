import { sql } from "drizzle-orm";
import { accountLink } from "#worker/accounts/account-links.ts";
import { users } from "#worker/accounts/table.ts";
import { ROLES } from "#worker/access/contract.ts";
import { commentUrl } from "#worker/comments/confirmation-link.ts";
import { directoryKeys } from "#worker/desk/contract.ts";
import { CONFIRM_PURPOSE } from "#worker/enquiries/mails.ts";
import { signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { subscribers as subscriberRows } from "#worker/newsletter/table.ts";
import { pageContents } from "#worker/pages/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { replacePreviewLink } from "#worker/previews/preview-links.ts";
import type { Known } from "./valid-values.ts";

/** A site's rows at one moment: what requests may name, and the signed links that it would have emailed. */
export type Rows = {
  /** Values of path parameters, by the segment before them: `articles/:id`. */
  inPaths: Known;
  /** Values of body fields, by name. */
  inBodies: Known;
  /** Tokens of signed links, by the page or route that they lead to. */
  tokens: Record<string, string[]>;
};

/** A listener of the fuzz test, who has playlists. */
export const LISTENER = "user_0123456789abcdefghijkl";
/** Bytes of each unfinished upload. */
export const UPLOAD = 1000;

/** The table whose ids a path parameter takes, by the segment before it. */
const TABLES: Record<string, string> = {
  "articles/:id": "articles",
  "categories/:id": "categories",
  "episodes/:id": "episodes",
  "episode/:id": "episodes where status = 'published'",
  "profiles/:id": "profiles",
  "ventures/:id": "ventures",
  "engagements/:id": "engagements",
  "press/:id": "press_items",
  "campaigns/:id": "campaigns",
  "social-posts/:id": "social_posts",
  "newsletters/:id": "letters",
  "automatic-letters/:id": "automatic_letters",
  "letters/:id": "letters where status = 'sent'",
  "subscribers/:id": "subscribers",
  "members/:id": "members",
  "tiers/:id": "tiers",
  "topics/:id": "topics",
  "imports/:id": "imports",
  "comments/:id": "comments",
  "guest-applications/:id": "enquiries where kind = 'application'",
  "contact-messages/:id": "enquiries where kind = 'message'",
  "speaking-bookings/:id": "enquiries where kind = 'booking'",
  "files/:id": "files where status = 'complete'",
  "users/:id": "users where role = 'user'",
  "playlist/:id": "playlists where is_public",
  "revisions/:revision": "revisions",
};

type Value = string | number;

/**
 * Up to fifty values of each of these columns, in one statement: on the way to the other process, a statement costs more than
 * its rows.
 */
async function readLists<Name extends string>(
  { db }: Context,
  lists: Record<Name, [column: string, from: string]>,
) {
  const columns = Object.entries<[string, string]>(lists).map(
    ([name, [column, from]]) =>
      `(select json_group_array(value) from (select ${column} as value from ${from} limit 50)) as "${name}"`,
  );
  const [row = {}] = await db.all<Record<string, string>>(sql.raw(`select ${columns.join(", ")}`));
  const read = Object.entries(row).map(([name, values]) => [name, JSON.parse(values) as Value[]]);
  return Object.fromEntries(read) as Record<Name, Value[]>;
}

export async function readRows(ctx: Context): Promise<Rows> {
  const tables = Object.entries(TABLES).map(([name, from]) => [name, ["id", from]]);
  const rows = await readLists(ctx, Object.fromEntries(tables) as Record<string, [string, string]>);
  const lists = await readLists(ctx, {
    own: ["id", `playlists where listener = '${await sha256(LISTENER)}'`],
    audio: ["id", "files where status = 'complete' and type like 'audio/%'"],
    images: ["id", "files where status = 'complete' and type like 'image/%'"],
    media: ["key", "files where status = 'complete'"],
    slugs: ["slug", "articles where status = 'published'"],
    articles: ["id", "articles where status = 'published'"],
    drafts: ["id", "articles where status = 'draft'"],
    comments: ["key", "comments where key is not null"],
    enquiries: ["digest", "enquiries"],
    subscribers: ["id", "subscribers"],
  });
  const { own, audio, images, slugs } = lists;
  const episodes = rows["episode/:id"]!;
  return {
    inPaths: {
      ...rows,
      "playlists/:id": [...own, ...rows["playlist/:id"]!],
      "essays/:slug": slugs,
      "people/:slug": ["imogen-tarrant"],
      "articles/:slug": slugs,
      "pages/:slug": Object.keys(pageContents),
      "ticks/:name": directoryKeys,
      "parts/:number": [1],
      "favorites/:episodeId": episodes,
      "progress/:episodeId": episodes,
      "items/:episodeId": episodes,
      "media/:key": lists.media,
    },
    inBodies: {
      contentType: ["page", "article"],
      contentId: ["/", ...lists.articles],
      episodeId: episodes,
      categoryId: [null, ...rows["categories/:id"]!],
      audioFileId: [null, ...audio],
      ...Object.fromEntries(
        ["imageFileId", "artworkFileId", "portraitFileId", "fileId", "by"].map((name) => [
          name,
          [null, ...images],
        ]),
      ),
      parentId: [null],
      basedOn: [undefined],
      // Each publication would send a request to it.
      hubUrl: [""],
    },
    tokens: await signTokens(ctx, lists),
  };
}

/** In seconds. */
const MINUTE = 60;

const tokenIn = (url: string) => new URL(url).searchParams.get("token")!;

/** As the site's emails contain them. */
async function signTokens(
  ctx: Context,
  lists: Record<"comments" | "enquiries" | "subscribers" | "drafts", Value[]>,
) {
  const people = await ctx.db.select().from(users).limit(5);
  const [comments, enquiries, subscribers] = [lists.comments, lists.enquiries, lists.subscribers].map(
    (values) => values.map(String),
  ) as [string[], string[], string[]];
  const pending = await ctx.db.select().from(subscriberRows).limit(5);
  const few = <T, R>(items: T[], sign: (item: T) => Promise<R>) => Promise.all(items.slice(0, 5).map(sign));
  const ofComments = await few(comments, async (key) => tokenIn(await commentUrl(ctx, key)));
  const unsubscribes = await signUnsubscribes(ctx, subscribers.slice(0, 5));
  const confirmations = await few(enquiries, (subject) =>
    signLink(ctx, { purpose: CONFIRM_PURPOSE, subject, stamp: "" }, MINUTE),
  );
  const verifications = await few(pending, ({ id, stamp }) =>
    signLink(ctx, { purpose: "verify-subscriber", subject: id, stamp }, MINUTE),
  );
  const previews = await few(lists.drafts, async (item) =>
    tokenIn((await replacePreviewLink(ctx, { kind: "article", item: Number(item) })).url),
  );
  const ofAccounts = async (purpose: Parameters<typeof accountLink>[1]) =>
    few(people, async (user) => tokenIn(await accountLink(ctx, purpose, user)));
  return {
    "/comment": ofComments,
    "/api/comments/confirm": ofComments,
    "/api/comments/delete": ofComments.slice(0, 1),
    "/verify-email": verifications,
    "/api/newsletter/verify": verifications,
    "/unsubscribe": unsubscribes,
    "/api/newsletter/unsubscribe": unsubscribes,
    "/api/newsletter/pause": unsubscribes,
    "/api/newsletter/topics": unsubscribes,
    "/api/newsletter/forget": unsubscribes.slice(0, 1),
    "/confirm-enquiry": confirmations,
    "/api/enquiries/confirm": confirmations,
    "/preview": previews,
    "/api/admin/verification/confirm": await ofAccounts("verify-user"),
    "/api/admin/password-reset/confirm": await ofAccounts("reset-password"),
    "/api/admin/invitation/confirm": await ofAccounts("invite"),
  };
}

/** All kinds of senders: a visitor without a session, and a user of each role. */
export const SENDERS = ["visitor", ...ROLES] as const;
export type Sender = (typeof SENDERS)[number];
