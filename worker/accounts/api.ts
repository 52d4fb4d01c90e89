import type { Context as HonoContext } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { changeAddress, changePassword, readAccount, renameAccount } from "#worker/accounts/account.ts";
import {
  AccountChange,
  AddressChange,
  ChosenPassword,
  LoginInput,
  PasswordChange,
  ResetRequest,
  SetupInput,
  UserChange,
  UserInput,
  VerificationConfirm,
  VerificationRequest,
} from "#worker/accounts/contract.ts";
import { SESSION_COOKIE } from "#worker/accounts/cookie.ts";
import { listSecurityEvents } from "#worker/accounts/events.ts";
import { logIn, whoIs } from "#worker/accounts/login.ts";
import { requestReset, requestVerification } from "#worker/accounts/requests.ts";
import { acceptInvitation, resetPassword } from "#worker/accounts/reset.ts";
import {
  closeSession,
  endOtherSessions,
  endSession,
  listDevices,
  LONGEST,
} from "#worker/accounts/sessions.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup.ts";
import {
  changeUser,
  createUser,
  deleteUser,
  inviteAgain,
  listUsers,
  readUser,
} from "#worker/accounts/users.ts";
import { router, valid, type HonoEnv } from "#worker/platform/http.ts";
import { limitBurst } from "#worker/platform/rate.ts";

/** What somebody may ask for who is not signed in yet. */
const doorApi = router()
  .post("/session", limitBurst("login"), valid("json", LoginInput), async (c) => {
    const { token, admin } = await logIn(c.var.ctx, c.req.valid("json"));
    await endSessionOf(c);
    setCookie(c, SESSION_COOKIE, token, cookie);
    return c.json({ success: true, admin });
  })
  .get("/session", (c) => c.json({ admin: whoIs(c.var.ctx) }))
  .delete("/session", async (c) => {
    await endSessionOf(c);
    deleteCookie(c, SESSION_COOKIE, forgotten);
    return c.body(null, 204);
  })

  .post("/setup", limitBurst("setup"), valid("json", SetupInput), async (c) => {
    await setUpAdmin(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Check your email: the link in it finishes the setup." }, 201);
  })

  .post("/verification", limitBurst("verification"), valid("json", VerificationRequest), async (c) => {
    await requestVerification(c.var.ctx, c.req.valid("json"));
    return c.json({
      success: true,
      message: "If this address waits to be confirmed, a new link is on its way.",
    });
  })
  .post("/verification/confirm", limitBurst("confirm"), valid("json", VerificationConfirm), async (c) => {
    const { email } = await confirmVerification(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Your e-mail address is confirmed.", email });
  })

  .post("/password-reset", limitBurst("reset"), valid("json", ResetRequest), async (c) => {
    await requestReset(c.var.ctx, c.req.valid("json"));
    return c.json({
      success: true,
      message: "If this address belongs to an account, a reset link was sent. It expires in 1 hour.",
    });
  })
  .post("/password-reset/confirm", limitBurst("confirm"), valid("json", ChosenPassword), async (c) => {
    const { email } = await resetPassword(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Your password was changed.", email });
  })
  .post("/invitation/confirm", limitBurst("confirm"), valid("json", ChosenPassword), async (c) => {
    const { email } = await acceptInvitation(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Your password is set.", email });
  });

/** A person's own account, and, for those who may, everybody's. */
const ownApi = router()
  .get("/account", async (c) => c.json({ account: await readAccount(c.var.ctx) }))
  .patch("/account", valid("json", AccountChange), async (c) =>
    c.json({ account: await renameAccount(c.var.ctx, c.req.valid("json")) }),
  )
  .post("/account/email", limitBurst("password"), valid("json", AddressChange), async (c) => {
    const { isPending } = await changeAddress(c.var.ctx, c.req.valid("json"));
    const sent = "A link was sent to the new address. It takes effect once that is opened.";
    return c.json({ success: true, message: isPending ? sent : "Your address stays as it is." });
  })
  .post("/account/password", limitBurst("password"), valid("json", PasswordChange), async (c) => {
    setCookie(c, SESSION_COOKIE, await changePassword(c.var.ctx, c.req.valid("json")), cookie);
    return c.json({ success: true, message: "Your password was changed." });
  })

  .get("/sessions", async (c) => c.json({ sessions: await listDevices(c.var.ctx) }))
  .delete("/sessions", async (c) => {
    await endOtherSessions(c.var.ctx);
    return c.body(null, 204);
  })
  .delete("/sessions/:id", async (c) => {
    await endSession(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })

  .get("/security-events", async (c) =>
    c.json(await listSecurityEvents(c.var.ctx, { after: c.req.query("after") })),
  )

  .get("/users", async (c) => c.json(await listUsers(c.var.ctx, { after: c.req.query("after") })))
  .post("/users", valid("json", UserInput), async (c) => {
    const user = await createUser(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "User created successfully!", user }, 201);
  })
  .get("/users/:id", async (c) => c.json({ user: await readUser(c.var.ctx, c.req.param("id")) }))
  .patch("/users/:id", valid("json", UserChange), async (c) => {
    const user = await changeUser(c.var.ctx, c.req.param("id"), c.req.valid("json"));
    return c.json({ success: true, message: "User updated successfully!", user });
  })
  .delete("/users/:id", async (c) => {
    await deleteUser(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })
  .post("/users/:id/invitation", async (c) => {
    await inviteAgain(c.var.ctx, c.req.param("id"));
    return c.json({ success: true, message: "The mail was sent again." });
  });

const forgotten = { httpOnly: true, secure: true, sameSite: "Lax", path: "/" } as const;
/** The browser keeps the cookie for the longest time; when the session ends is decided by its row. */
const cookie = { ...forgotten, maxAge: LONGEST / 1000 };

async function endSessionOf(c: HonoContext<HonoEnv>) {
  const token = getCookie(c, SESSION_COOKIE);
  if (token) await closeSession(c.var.ctx, token);
}

export const accountsApi = router().route("/", doorApi).route("/", ownApi);
