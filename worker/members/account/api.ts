import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { memberCookieOf } from "#worker/accounts/cookie.ts";
import { cookieAttributes } from "#worker/accounts/session-cookie.ts";
import {
  chooseLetters,
  chooseTopics,
  deleteAccount,
  deleteMemberSession,
  exportAccount,
  requestSignIn,
  signInMember,
  signOutEverywhere,
  signOutMember,
} from "#worker/members/account/commands.ts";
import {
  addMemberPasskey,
  deleteMemberPasskey,
  renameMemberPasskey,
  signInMemberByPasskey,
  startMemberPasskey,
  startMemberPasskeySignIn,
} from "#worker/members/account/passkey-commands.ts";
import { readAccount, readFeedQrCode, requireAccounts } from "#worker/members/account/queries.ts";
import {
  MemberPasskeyParam,
  MemberSessionParam,
  SIGN_IN_SENT,
  SIGNED_IN,
  type LetterChoice,
  type SignInLink,
} from "#worker/members/contract.ts";
import { deleteMemberFeed, makeMemberFeed } from "#worker/members/feed/commands.ts";
import { MAX_MEMBER_SESSION_MS } from "#worker/members/sessions.ts";
import { openPortal, startCheckout } from "#worker/payments/checkout-commands.ts";
import type { NewCheckout } from "#worker/payments/contract.ts";
import { listJoinOffers } from "#worker/payments/offer-queries.ts";
import { answerForms, limitBody, linkPage, publicForm, readFields } from "#worker/platform/http/forms.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";
import { json, router, valid, type HonoEnv } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";
import type { TopicChoice } from "#worker/topics/contract.ts";
import type { NewPasskey, PasskeyChange, PasskeySignIn } from "#worker/webauthn/contract.ts";

type RequestContext = HonoContext<HonoEnv>;

const tokenOf = (c: RequestContext) => getCookie(c, memberCookieOf(c.req.url).name);

function forgetToken(c: RequestContext) {
  const { name, secure } = memberCookieOf(c.req.url);
  deleteCookie(c, name, { ...cookieAttributes, secure });
}

/** No cache may store what is one member's, nor a browser what the next person at it could read. */
const keepPrivate: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  c.header("Cache-Control", "private, no-store");
};

/** The tokens of requests that have signed in. */
const signedIn = new WeakMap<RequestContext, string>();

/** Sets the cookie last of all: the redirect that answers a form replaces the answer with its headers. */
const keepToken: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  const token = signedIn.get(c);
  if (token === undefined) return;
  const { name, secure } = memberCookieOf(c.req.url);
  setCookie(c, name, token, { ...cookieAttributes, secure, maxAge: MAX_MEMBER_SESSION_MS / 1000 });
};

const whileOpen: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await requireAccounts(c.var.ctx);
  await next();
};

/** `/api/member`: the account of the member whose session's cookie is sent. */
export const memberApi = router()
  .use(keepPrivate)
  .route("/sign-in", publicForm({ name: "member-sign-in", thanks: SIGN_IN_SENT, take: requestSignIn }))
  .post(
    "/session",
    keepToken,
    answerForms({ page: linkPage("/account/sign-in"), sent: "/account" }),
    limitBody,
    limitBurst("member-session"),
    async (c) => {
      const { form: _, ...fields } = await readFields(c);
      signedIn.set(c, await signInMember(c.var.ctx, fields as SignInLink, tokenOf(c)));
      return c.json({ success: true, message: SIGNED_IN });
    },
  )
  .get("/session/passkey", limitBurst("member-passkey"), async (c) =>
    c.json(await startMemberPasskeySignIn(c.var.ctx)),
  )
  .post("/session/passkey", keepToken, limitBurst("member-session"), json<PasskeySignIn>(), async (c) => {
    signedIn.set(c, await signInMemberByPasskey(c.var.ctx, c.req.valid("json"), tokenOf(c)));
    return c.body(null, 204);
  })
  .get("/", async (c) => {
    const account = await readAccount(c.var.ctx, tokenOf(c));
    return c.json({ account, offers: await listJoinOffers(c.var.ctx) });
  })
  .delete("/session", async (c) => {
    await signOutMember(c.var.ctx, tokenOf(c));
    forgetToken(c);
    return c.body(null, 204);
  })
  .use(whileOpen)
  .delete("/sessions", async (c) => {
    await signOutEverywhere(c.var.ctx, tokenOf(c));
    forgetToken(c);
    return c.body(null, 204);
  })
  .delete("/sessions/:id", valid("param", MemberSessionParam), async (c) => {
    await deleteMemberSession(c.var.ctx, tokenOf(c), c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/checkout", limitBurst("checkout"), json<NewCheckout>(), async (c) =>
    c.json(await startCheckout(c.var.ctx, tokenOf(c), c.req.valid("json"))),
  )
  .post("/portal", limitBurst("checkout"), async (c) => c.json(await openPortal(c.var.ctx, tokenOf(c))))
  .post("/feed", limitBurst("member-feed-address"), async (c) => {
    await makeMemberFeed(c.var.ctx, tokenOf(c));
    return c.body(null, 204);
  })
  .delete("/feed", async (c) => {
    await deleteMemberFeed(c.var.ctx, tokenOf(c));
    return c.body(null, 204);
  })
  .get("/feed/qr.svg", async (c) => {
    const svg = await readFeedQrCode(c.var.ctx, tokenOf(c));
    return c.body(svg, 200, { "Content-Type": "image/svg+xml" });
  })
  .put("/letters", limitBurst("member-letters"), json<LetterChoice>(), async (c) => {
    await chooseLetters(c.var.ctx, tokenOf(c), c.req.valid("json"));
    return c.body(null, 204);
  })
  .put("/topics", limitBurst("member-letters"), json<TopicChoice>(), async (c) => {
    await chooseTopics(c.var.ctx, tokenOf(c), c.req.valid("json"));
    return c.body(null, 204);
  })
  .post("/passkeys/options", limitBurst("member-passkey"), async (c) =>
    c.json(await startMemberPasskey(c.var.ctx, tokenOf(c))),
  )
  .post("/passkeys", limitBurst("member-passkey"), json<NewPasskey>(), async (c) =>
    c.json(await addMemberPasskey(c.var.ctx, tokenOf(c), c.req.valid("json")), 201),
  )
  .patch(
    "/passkeys/:id",
    limitBurst("member-passkey"),
    valid("param", MemberPasskeyParam),
    json<PasskeyChange>(),
    async (c) =>
      c.json(await renameMemberPasskey(c.var.ctx, tokenOf(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/passkeys/:id", valid("param", MemberPasskeyParam), async (c) => {
    await deleteMemberPasskey(c.var.ctx, tokenOf(c), c.req.valid("param").id);
    return c.body(null, 204);
  })
  .get("/data", async (c) => {
    const body = await exportAccount(c.var.ctx, tokenOf(c));
    return c.body(body, 200, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="account-${await today(c.var.ctx)}.json"`,
    });
  })
  .delete("/", async (c) => {
    await deleteAccount(c.var.ctx, tokenOf(c));
    forgetToken(c);
    return c.body(null, 204);
  });

/** Paths below /api that accept HTML forms; each reads its own body. */
export const memberForms = ["sign-in", "session"].map((name) => `/member/${name}`);
