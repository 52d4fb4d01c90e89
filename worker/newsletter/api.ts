import type { Context as HonoContext } from "hono";
import { except } from "hono/combine";
import { answerQuestion } from "#worker/letters/answer-commands.ts";
import { ANSWERED, type AnswerInput } from "#worker/letters/contract.ts";
import {
  choosePreferences,
  forgetSubscriber,
  pauseLetters,
  subscribe,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/commands.ts";
import {
  ALREADY_CONFIRMED,
  CONFIRMED,
  FORGOTTEN,
  PAUSED,
  SUBSCRIBED,
  TOPICS_CHOSEN,
  UNSUBSCRIBED,
  SubscriberListQuery,
  SubscriberParam,
  type AskImported,
  type ImportInput,
  type NewSubscriber,
  type PreferencesInput,
  type SubscriberChange,
  type UnsubscribeInput,
  type VerifyInput,
} from "#worker/newsletter/contract.ts";
import { exportSubscribers } from "#worker/newsletter/export.ts";
import { askImported, importSubscribers } from "#worker/newsletter/import-commands.ts";
import { createSubscriber, deleteSubscriber, updateSubscriber } from "#worker/newsletter/owner-commands.ts";
import { listSubscribers, readSubscriber } from "#worker/newsletter/owner-queries.ts";
import { answerForms, limitBody, linkPage, publicForm, readFields } from "#worker/platform/http/forms.ts";
import { json, router, valid, type HonoEnv } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";

const unsubscribePage = linkPage("/unsubscribe");
const answerPage = linkPage("/answer");

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
    answerForms({ page: linkPage("/verify-email"), sent: "/verify-email?confirmed=1" }),
    limitBody,
    limitBurst("verify"),
    async (c) => {
      const fields = withTopics(await readFields(c));
      const { email, isNew } = await verifySubscriber(c.var.ctx, fields as VerifyInput);
      return c.json({ success: true, message: isNew ? CONFIRMED : ALREADY_CONFIRMED, email });
    },
  )

  // RFC 8058: a mail provider posts a form here, with the token in the URL and without cookie or origin. It does so for
  // all its users from few IP addresses, hundreds per second.
  .post(
    "/unsubscribe",
    except(isOneClick, answerForms({ page: unsubscribePage, sent: "/unsubscribe?done=1" })),
    limitBody,
    except(isOneClick, limitBurst("unsubscribe")),
    async (c) => {
      const token = c.req.query("token") ?? (await readToken(c)).token;
      await unsubscribe(c.var.ctx, { token } as UnsubscribeInput);
      return c.json({ success: true, message: UNSUBSCRIBED });
    },
  )

  .post(
    "/pause",
    answerForms({ page: unsubscribePage, sent: unsubscribePage }),
    limitBody,
    limitBurst("unsubscribe"),
    async (c) => {
      const paused = await pauseLetters(c.var.ctx, await readToken(c));
      return c.json({ success: true, message: PAUSED, ...paused });
    },
  )

  .post(
    "/topics",
    answerForms({ page: unsubscribePage }),
    limitBody,
    limitBurst("unsubscribe"),
    async (c) => {
      await choosePreferences(c.var.ctx, withTopics(await readFields(c)) as PreferencesInput);
      return c.json({ success: true, message: TOPICS_CHOSEN });
    },
  )

  .post(
    "/forget",
    answerForms({ page: unsubscribePage, sent: "/unsubscribe?deleted=1" }),
    limitBody,
    limitBurst("unsubscribe"),
    async (c) => {
      await forgetSubscriber(c.var.ctx, await readToken(c));
      return c.json({ success: true, message: FORGOTTEN });
    },
  )

  // The link of an email only opens the page: mail scanners follow links, and no scanner posts.
  .post(
    "/answer",
    answerForms({ page: answerPage, sent: answerPage }),
    limitBody,
    limitBurst("answer"),
    async (c) => {
      const { form: _, ...fields } = await readFields(c);
      await answerQuestion(c.var.ctx, fields as AnswerInput);
      return c.json({ success: true, message: ANSWERED });
    },
  )

  .get("/unsubscribe", (c) => c.redirect(unsubscribePage(c.req.query())));

function isOneClick(c: HonoContext) {
  return c.req.query("token") !== undefined;
}

/** Without the form's name. An HTML form sends the list of topics with brackets, by which it stays a list. */
function withTopics({
  form: _form,
  "topics[]": topics,
  ...fields
}: Record<string, unknown>): Record<string, unknown> {
  return topics === undefined ? fields : { ...fields, topics };
}

const readToken = async (c: HonoContext<HonoEnv>) =>
  ({ token: (await readFields(c))["token"] }) as UnsubscribeInput;

/** Paths below /api that accept HTML forms; each reads its own body. */
export const newsletterForms = [
  "subscribe",
  "verify",
  "unsubscribe",
  "pause",
  "topics",
  "forget",
  "answer",
].map((name) => `/newsletter/${name}`);

export const subscribersAdminApi = router()
  .get("/", valid("query", SubscriberListQuery), async (c) =>
    c.json(await listSubscribers(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewSubscriber>(), async (c) =>
    c.json(await createSubscriber(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/export", async (c) => {
    const csv = await exportSubscribers(c.var.ctx);
    const day = await today(c.var.ctx);
    return c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="subscribers-${day}.csv"`,
      "Cache-Control": "no-store",
    });
  })
  .post("/import", json<ImportInput>(), async (c) =>
    c.json(await importSubscribers(c.var.ctx, c.req.valid("json"))),
  )
  .post("/import/ask", json<AskImported>(), async (c) => {
    await askImported(c.var.ctx, c.req.valid("json"));
    return c.body(null, 204);
  })
  .get("/:id", valid("param", SubscriberParam), async (c) =>
    c.json(await readSubscriber(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", SubscriberParam), json<SubscriberChange>(), async (c) =>
    c.json(await updateSubscriber(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", SubscriberParam), async (c) => {
    await deleteSubscriber(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
