import { desc, sql } from "drizzle-orm";
import { isReadable, nothingHere } from "#worker/letters/archive.ts";
import { withQuestion } from "#worker/letters/question-part.ts";
import { letters } from "#worker/letters/table.ts";
import { versionOf } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { absoluteLinks, htmlContent, htmlOf, renderTextFeed, rfc2822 } from "#worker/platform/http/rss.ts";
import { archiveSetting, readSite, siteUpdatedAt } from "#worker/settings/queries.ts";

const LETTERS_FEED_PATH = "/rss/letters.xml";
/** Letters in the feed, each with its whole text. */
const IN_FEED = 50;

/**
 * The versions of everything in the feed, in one statement. A letter does not change once its sending has begun, but can be taken
 * out of the archive.
 * @throws `not_found` while the archive is switched off
 */
export async function readLetterFeedMark({ db, dependsOn }: Context) {
  dependsOn("letters", "site");
  const [row] = await db.all<{ mark: string; isOpen: number }>(sql`
    select ${archiveSetting} as isOpen, concat_ws(char(10),
      (select group_concat(id) from
        (select ${letters.id} as id from ${letters} where ${isReadable} order by ${letters.startedAt} desc, ${letters.id} desc limit ${IN_FEED})),
      ${versionOf("letters")},
      ${siteUpdatedAt}
    ) as mark`);
  if (!row?.isOpen) throw nothingHere();
  return row.mark;
}

const selectLetters = prepared([], (db) =>
  db
    .select({
      id: letters.id,
      subject: letters.subject,
      preheader: letters.preheader,
      contentHtml: letters.contentHtml,
      question: letters.question,
      startedAt: letters.startedAt,
    })
    .from(letters)
    .where(isReadable)
    .orderBy(desc(letters.startedAt), desc(letters.id))
    .limit(IN_FEED),
);

/** The letters' feed as XML. */
export async function readLetterFeed(ctx: Context) {
  const { siteUrl } = ctx.config;
  const [{ name, language }, rows] = await Promise.all([readSite(ctx), selectLetters(ctx, {})]);
  return renderTextFeed(siteUrl, {
    title: `${name}: letters`,
    description: `Letters that ${name} sent to subscribers by email.`,
    language,
    page: "/letters",
    path: LETTERS_FEED_PATH,
    changedAt: rows[0]?.startedAt ?? undefined,
    items: rows.map(({ id, subject, preheader, contentHtml, question, startedAt }) => {
      const link = `${siteUrl}/letters/${id}`;
      return {
        title: subject,
        link,
        guid: { "@_isPermaLink": "true", "#text": link },
        pubDate: startedAt ? rfc2822(startedAt) : undefined,
        "dc:creator": name,
        description: htmlContent(htmlOf(preheader)),
        "content:encoded": htmlContent(absoluteLinks(withQuestion(contentHtml, question), link)),
      };
    }),
  });
}
