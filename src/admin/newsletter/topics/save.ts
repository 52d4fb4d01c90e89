import { api, ensureOk } from "#site/api.ts";
import { NewTopic } from "#worker/topics/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { checkbox, numberOrZero, text, textToChange } from "../../form/read.ts";
import { orderSaver } from "../../lists/ordered-list.tsx";

export const TOPICS = "/admin/newsletter/topics";

export const topicActions = itemActions({
  noun: "topic",
  api: api.topics,
  list: TOPICS,
  schema: NewTopic,
  fields: {
    draftKey: textToChange,
    name: text,
    description: text,
    isOffered: checkbox,
    sortOrder: numberOrZero,
  },
});

export const reorderTopics = orderSaver({
  noun: "Topics",
  send: (ids) => ensureOk(api.topics.order.$put({ json: { ids } })),
});
