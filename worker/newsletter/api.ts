import { except } from "hono/combine";
import {
  CONFIRMED,
  MAX_TOKEN,
  SUBSCRIBED,
  UNSUBSCRIBED,
  type UnsubscribeInput,
  type VerifyInput,
} from "#worker/newsletter/contract.ts";
import { subscribe, unsubscribe, verifySubscriber } from "#worker/newsletter/commands.ts";
import { answerForms, boundForm, publicForm, readFields } from "#worker/platform/forms.ts";
import { router } from "#worker/platform/http.ts";
import { limitBurst } from "#worker/platform/rate.ts";

export const newsletterApi = router()
  .route(
    "/subscribe",
    publicForm({
      name: "subscribe",
      thanks: SUBSCRIBED,
      take: subscribe,
    }),
  )

  .post(
    "/verify",
    answerForms({ sent: "/verify-email?confirmed=1" }),
    boundForm,
    limitBurst("verify"),
    async (c) => {
      const { form: _, ...fields } = await readFields(c);
      const { email } = await verifySubscriber(c.var.ctx, fields as VerifyInput);
      return c.json({ success: true, message: CONFIRMED, email });
    },
  )

  // RFC 8058: a mail provider posts a form here, with the token in the URL and without cookie or origin.
  .post(
    "/unsubscribe",
    except((c) => c.req.query("token") !== undefined, answerForms({ sent: "/unsubscribe?done=1" })),
    boundForm,
    limitBurst("unsubscribe"),
    async (c) => {
      const token = c.req.query("token") ?? (await readFields(c))["token"];
      await unsubscribe(c.var.ctx, { token } as UnsubscribeInput);
      return c.json({ success: true, message: UNSUBSCRIBED });
    },
  )
  .get("/unsubscribe", (c) => {
    const token = c.req.query("token") ?? "";
    // A longer one would make a Location header that browsers and proxies refuse.
    return c.redirect(
      `/unsubscribe?${new URLSearchParams({ token: token.length <= MAX_TOKEN ? token : "" })}`,
    );
  });

/** Below /api: what an HTML form may be posted to; each reads its own body. */
export const newsletterForms = ["subscribe", "verify", "unsubscribe"].map((name) => `/newsletter/${name}`);
