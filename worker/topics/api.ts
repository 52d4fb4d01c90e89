import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json } from "#worker/platform/http/router.ts";
import { createTopic, deleteTopic, reorderTopics, updateTopic } from "#worker/topics/commands.ts";
import type { TopicOrder } from "#worker/topics/contract.ts";
import { listTopics, readTopicForEdit } from "#worker/topics/owner-queries.ts";

export const topicsAdminApi = itemRoutes({
  create: createTopic,
  readForEdit: readTopicForEdit,
  update: updateTopic,
  remove: deleteTopic,
})
  .get("/", async (c) => c.json(await listTopics(c.var.ctx)))
  .put("/order", json<TopicOrder>(), async (c) =>
    c.json(await reorderTopics(c.var.ctx, c.req.valid("json"))),
  );
