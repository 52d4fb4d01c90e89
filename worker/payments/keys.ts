import { eq } from "drizzle-orm";
import { PaymentKeys } from "#worker/payments/contract.ts";
import { paymentKeys } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { requireUnsealed } from "#worker/platform/data/sealed.ts";
import { AppError } from "#worker/platform/errors.ts";

const PURPOSE = "payment-keys";

export const paymentKeysColumn = { id: paymentKeys.id, secret: paymentKeys.secret, purpose: PURPOSE };

/** Null without keys. @throws `unavailable` if they cannot be read */
export async function readPaymentKeys(ctx: Context): Promise<PaymentKeys | null> {
  const [row] = await ctx.db.select().from(paymentKeys).where(eq(paymentKeys.id, 1));
  return row ? PaymentKeys.parse(JSON.parse(await requireUnsealed(ctx, PURPOSE, row.secret))) : null;
}

/** @throws `conflict` without keys; `unavailable` */
export async function requirePaymentKeys(ctx: Context) {
  const keys = await readPaymentKeys(ctx);
  if (!keys) throw new AppError("conflict", "Enter the keys of Stripe first.");
  return keys;
}

/** Whether a key moves money. */
export const isLiveKey = (key: string) => /^[rs]k_live_/.test(key);
