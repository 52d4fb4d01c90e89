import { eq, sql } from "drizzle-orm";
import { COUNTED } from "#worker/desk/contract.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { votesOf } from "#worker/letters/answer-counts.ts";
import { isWritable } from "#worker/letters/queries.ts";
import { binnedLetters, deliveries, letterLinks, letters } from "#worker/letters/table.ts";
import { subscriberIdOf } from "#worker/newsletter/recipient-queries.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { AppError } from "#worker/platform/errors.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** The columns derived from the content. */
export const renderedColumns = ({ content }: { content: string }, pictures: Pictures) => ({
  contentHtml: renderMarkdown(content, pictures).html,
  embeddedFileIds: embeddedFileIdsOf(content),
});

/** SQL: the counted links, as JSON. */
const linksOf = sql<string>`(select json_group_array(json_object('url', link.url, 'presses', link.presses) order by link.position)
  from ${letterLinks} as link where link.letter_id = ${letters.id})`;

/** SQL: the answer to the letter's question, while that is open. */
const chosenAnswerOf = sql<
  string | null
>`(${letters.question} -> '$.answers') ->> (${deliveries.choice} - 1)`;

/** The letters sent, or about to be sent, to a person. */
const heldDeliveries = holdingOf({
  table: deliveries,
  key: deliveries.letterId,
  isAbout: (email) => sql`${deliveries.subscriberId} = ${subscriberIdOf(email)}`,
  select: ({ db }) =>
    db
      .select({
        key: deliveries.letterId,
        subject: letters.subject,
        status: deliveries.status,
        attempts: deliveries.attempts,
        answer: deliveries.answer,
        providerId: deliveries.providerId,
        feedback: deliveries.feedback,
        settledAt: deliveries.settledAt,
        chosenAnswer: chosenAnswerOf,
        notBefore: deliveries.notBefore,
      })
      .from(deliveries)
      .innerJoin(letters, eq(letters.id, deliveries.letterId)),
  toHeld: ({ key, notBefore, ...row }) => ({
    key,
    at: (row.settledAt ?? notBefore).getTime(),
    title: row.subject,
    data: inWriting(row),
  }),
});

export const letterNoun = noun({
  table: letters,
  title: "subject",
  // A sent letter keeps its files, since its emails show them for years.
  files: {
    kind: "letter",
    capabilityOf: () => "audience",
    requireReplaceable({ status, subject }) {
      if (!isWritable(status)) throw isSent(subject);
    },
  },
  text: { column: "content", derive: renderedColumns },
  // Includes sent letters: the archive shows their Markdown as rendered now, while their emails stay as sent.
  changed: (ctx, which) => [
    changed(
      ctx,
      sql`select 'letter:' || ${letters.id} as tag from ${letters} where ${which} and ${letters.startedAt} is not null`,
    ),
  ],
  bin: {
    kind: "letter",
    parts: [
      {
        table: letters,
        binned: binnedLetters,
        of: (item) => sql`${letters.id} = cast(${item} as integer)`,
      },
    ],
  },
  exported: {
    folder: "letters",
    omit: ["mail"],
    select: { links: linksOf, votes: votesOf },
    facts: (row) => ({
      title: row.subject,
      date: row.startedAt,
      updated: row.updatedAt,
      status: row.status,
      draft: row.startedAt === null || null,
      description: row.preheader,
    }),
    item: (row) => ({
      ...row,
      links: JSON.parse(String(row.links)) as unknown,
      votes: JSON.parse(String(row.votes)) as unknown,
    }),
  },
  held: { letters: heldDeliveries },
  desk: () => ({
    heldLetters: sql`(select count(*) from (select 1 from ${letters}
      where ${letters.status} = 'draft' and ${letters.automaticLetterId} is not null and ${letters.pausedReason} is null
      limit ${COUNTED}))`,
    stoppedLetters: sql`(select count(*) from (select 1 from ${letters}
      where ${letters.status} in ('draft', 'paused') and ${letters.pausedReason} is not null limit ${COUNTED}))`,
  }),
});

const isSent = (subject: string) =>
  new AppError(
    "conflict",
    `The letter “${subject}” was sent and shows this file from its address. Upload the new file separately instead.`,
  );
