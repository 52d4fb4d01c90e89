import type { Context as HonoContext } from "hono";
import { except } from "hono/combine";
import {
  forgetSubscriber,
  pauseLetters,
  subscribe,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/commands.ts";
import {
  CONFIRMED,
  FORGOTTEN,
  MAX_TOKEN,
  PAUSED,
  SUBSCRIBED,
  UNSUBSCRIBED,
  type UnsubscribeInput,
  type VerifyInput,
} from "#worker/newsletter/contract.ts";
import { answerForms, boundForm, publicForm, readFields } from "#worker/platform/forms.ts";
import { router, type HonoEnv } from "#worker/platform/http.ts";
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

  // RFC 8058: a mail provider posts a form here, with the token in the URL and without cookie or origin. It does so for
  // all its users from few addresses, hundreds in a second.
  .post(
    "/unsubscribe",
    except(isOneClick, answerForms({ sent: "/unsubscribe?done=1" })),
    boundForm,
    except(isOneClick, limitBurst("unsubscribe")),
    async (c) => {
      const token = c.req.query("token") ?? (await readToken(c)).token;
      await unsubscribe(c.var.ctx, { token } as UnsubscribeInput);
      return c.json({ success: true, message: UNSUBSCRIBED });
    },
  )

  .post("/pause", answerForms({ sent: unsubscribePage }), boundForm, limitBurst("unsubscribe"), async (c) => {
    const paused = await pauseLetters(c.var.ctx, await readToken(c));
    return c.json({ success: true, message: PAUSED, ...paused });
  })

  .post(
    "/forget",
    answerForms({ sent: "/unsubscribe?deleted=1" }),
    boundForm,
    limitBurst("unsubscribe"),
    async (c) => {
      await forgetSubscriber(c.var.ctx, await readToken(c));
      return c.json({ success: true, message: FORGOTTEN });
    },
  )

  .get("/unsubscribe", (c) => c.redirect(unsubscribePage(c.req.query())));

function isOneClick(c: HonoContext) {
  return c.req.query("token") !== undefined;
}

const readToken = async (c: HonoContext<HonoEnv>) =>
  ({ token: (await readFields(c))["token"] }) as UnsubscribeInput;

function unsubscribePage({ token }: Record<string, unknown>) {
  // A longer one would make a Location header that browsers and proxies refuse.
  const short = typeof token === "string" && token.length <= MAX_TOKEN ? token : "";
  return `/unsubscribe?${new URLSearchParams({ token: short })}`;
}

/** Below /api: what an HTML form may be posted to; each reads its own body. */
export const newsletterForms = ["subscribe", "verify", "unsubscribe", "pause", "forget"].map(
  (name) => `/newsletter/${name}`,
);
