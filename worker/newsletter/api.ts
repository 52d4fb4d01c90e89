import { except } from "hono/combine";
import {
  CONFIRMED,
  INVALID_UNSUBSCRIBE,
  SUBSCRIBED,
  SubscribeInput,
  UNSUBSCRIBED,
  VerifyInput,
} from "#worker/newsletter/contract.ts";
import { subscribe } from "#worker/newsletter/requests.ts";
import { unsubscribe, verifySubscriber } from "#worker/newsletter/subscribers.ts";
import { answerForms, boundForm, publicForm, readFields } from "#worker/platform/forms.ts";
import { checked, router } from "#worker/platform/http.ts";
import { AppError } from "#worker/platform/errors.ts";
import { limitBurst } from "#worker/platform/rate.ts";

/** Characters. */
const MAX_TOKEN = 2000;

export const newsletterApi = router()
  .route(
    "/subscribe",
    publicForm({
      name: "subscribe",
      schema: SubscribeInput,
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
      const { email } = await verifySubscriber(c.var.ctx, checked(VerifyInput, fields));
      return c.json({ success: true, message: CONFIRMED, email });
    },
  )

  // RFC 8058: a mail provider posts here, the token in the address, with no cookie, no origin and a form's body.
  .post(
    "/unsubscribe",
    except((c) => c.req.query("token") !== undefined, answerForms({ sent: "/unsubscribe?done=1" })),
    boundForm,
    limitBurst("unsubscribe"),
    async (c) => {
      const token = c.req.query("token") ?? (await readFields(c))["token"];
      if (typeof token !== "string") throw new AppError("invalid", INVALID_UNSUBSCRIBE, { field: "token" });
      await unsubscribe(c.var.ctx, { token });
      return c.json({ success: true, message: UNSUBSCRIBED });
    },
  )
  .get("/unsubscribe", (c) => {
    const token = c.req.query("token") ?? "";
    // Longer than any of ours, it would make a header that is refused on the way.
    return c.redirect(
      `/unsubscribe?${new URLSearchParams({ token: token.length <= MAX_TOKEN ? token : "" })}`,
    );
  });

/** Below /api: what an HTML form may be posted to; each reads its own body. */
export const newsletterForms = ["subscribe", "verify", "unsubscribe"].map((name) => `/newsletter/${name}`);
