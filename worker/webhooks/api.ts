import { json, router, valid } from "#worker/platform/http/router.ts";
import {
  createWebhook,
  deleteWebhook,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  updateWebhook,
} from "#worker/webhooks/commands.ts";
import {
  DeliveryParam,
  WebhookParam,
  type NewWebhook,
  type WebhookChange,
} from "#worker/webhooks/contract.ts";
import { listWebhooks, readWebhook } from "#worker/webhooks/queries.ts";

export const webhooksAdminApi = router()
  .get("/", async (c) => c.json(await listWebhooks(c.var.ctx)))
  .post("/", json<NewWebhook>(), async (c) =>
    c.json(await createWebhook(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", WebhookParam), async (c) =>
    c.json(await readWebhook(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", WebhookParam), json<WebhookChange>(), async (c) =>
    c.json(await updateWebhook(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", WebhookParam), async (c) => {
    await deleteWebhook(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/:id/secret", valid("param", WebhookParam), async (c) =>
    c.json(await rotateSecret(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/test", valid("param", WebhookParam), async (c) =>
    c.json(await sendTestEvent(c.var.ctx, c.req.valid("param").id), 201),
  )
  .post("/:id/deliveries/:delivery/resend", valid("param", DeliveryParam), async (c) => {
    const { id, delivery } = c.req.valid("param");
    return c.json(await resendDelivery(c.var.ctx, id, delivery), 201);
  });
