import {
  comparePayments,
  createTierPrice,
  deletePaymentKeys,
  deleteTierPrice,
  savePaymentKeys,
  testPaymentKeys,
} from "#worker/payments/commands.ts";
import type { NewTierPrice, PaymentKeys } from "#worker/payments/contract.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";

export const paymentsAdminApi = router()
  .put("/keys", json<PaymentKeys>(), async (c) => {
    await savePaymentKeys(c.var.ctx, c.req.valid("json"));
    return c.body(null, 204);
  })
  .delete("/keys", async (c) => {
    await deletePaymentKeys(c.var.ctx);
    return c.body(null, 204);
  })
  .post("/test", async (c) => c.json(await testPaymentKeys(c.var.ctx)))
  .post("/prices", json<NewTierPrice>(), async (c) =>
    c.json(await createTierPrice(c.var.ctx, c.req.valid("json")), 201),
  )
  .delete("/prices/:id", valid("param", IdParam), async (c) => {
    await deleteTierPrice(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/comparison", async (c) => {
    await comparePayments(c.var.ctx);
    return c.body(null, 204);
  });

/** Notices of Stripe. */
export const paymentWebhookApi = router().post("/stripe", async (c) => {
  // The raw body: the signature covers these exact bytes.
  const body = await c.req.text();
  // Imported on demand: most isolates get no notice.
  const { takeStripeNotice } = await import("#worker/payments/notices.ts");
  await takeStripeNotice(c.var.ctx, { header: c.req.header("Stripe-Signature"), body });
  return c.json({ success: true });
});
