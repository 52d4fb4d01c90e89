import type { Context as HonoContext } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import {
  LoginInput,
  SetupInput,
  VerificationConfirm,
  VerificationRequest,
} from "#worker/accounts/contract.ts";
import { SESSION_COOKIE } from "#worker/accounts/cookie.ts";
import { logIn, whoIs } from "#worker/accounts/login.ts";
import { closeSession, LONGEST } from "#worker/accounts/sessions.ts";
import { confirmVerification, requestVerification, setUpAdmin } from "#worker/accounts/setup.ts";
import { router, valid, type HonoEnv } from "#worker/platform/http.ts";
import { addressOf, limitBurst, limitHourly } from "#worker/platform/rate.ts";

export const accountsApi = router()
  .post("/session", limitBurst("login"), valid("json", LoginInput), async (c) => {
    const address = addressOf(c.req.raw);
    const { token, admin } = await logIn(c.var.ctx, { ...c.req.valid("json"), address });
    await endSession(c);
    setCookie(c, SESSION_COOKIE, token, { ...cookie, maxAge: LONGEST });
    return c.json({ success: true, admin });
  })
  .get("/session", (c) => c.json({ admin: whoIs(c.var.ctx) }))
  .delete("/session", async (c) => {
    await endSession(c);
    deleteCookie(c, SESSION_COOKIE, cookie);
    return c.body(null, 204);
  })

  .post("/setup", limitBurst("setup"), valid("json", SetupInput), limitHourly("setup", 10), async (c) => {
    await setUpAdmin(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Check your email: the link in it finishes the setup." }, 201);
  })

  .post(
    "/verification",
    limitBurst("verification"),
    valid("json", VerificationRequest),
    limitHourly("verification", 10),
    async (c) => {
      await requestVerification(c.var.ctx, c.req.valid("json"));
      return c.json({
        success: true,
        message: "If this address waits to be confirmed, a new link is on its way.",
      });
    },
  )
  .post("/verification/confirm", limitBurst("confirm"), valid("json", VerificationConfirm), async (c) => {
    const { email } = await confirmVerification(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Your e-mail address is confirmed.", email });
  });

/** The browser keeps the cookie for the longest time; when the session ends is decided by its record. */
const cookie = { httpOnly: true, secure: true, sameSite: "Lax", path: "/" } as const;

async function endSession(c: HonoContext<HonoEnv>) {
  const token = getCookie(c, SESSION_COOKIE);
  if (token) await closeSession(c.var.ctx, token);
}
