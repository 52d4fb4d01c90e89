import { noun } from "#worker/nouns/noun.ts";
import { inOrder } from "#worker/topics/queries.ts";
import { topics } from "#worker/topics/table.ts";

export const topicNoun = noun({
  table: topics,
  title: "name",
  exported: { list: "topics.json", order: inOrder },
  // A deleted topic is not noted as erased: a restored one has no personal data.
  eraseAgain: () => [],
});
