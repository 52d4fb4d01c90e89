import type { Context as HonoContext } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { isAllowed, PROOF_LASTS_FOR_NEXT, requireRecentProof } from "#worker/access/capabilities.ts";
import { changeAddress, changePassword, updateAccount } from "#worker/accounts/account-commands.ts";
import {
  LogCheckQuery,
  SecurityEventQuery,
  UserListQuery,
  type AccountChange,
  type AddressChange,
  type Admin,
  type ChosenPassword,
  type CodeForm,
  type CodeSignIn,
  type Denial,
  type FactorRulesChange,
  type LoginInput,
  type NewToken,
  type PasswordChange,
  type Proof,
  type ResetRequest,
  type SetupInput,
  type UserChange,
  type UserInput,
  type VerificationConfirm,
  type VerificationRequest,
} from "#worker/accounts/contract.ts";
import { deviceCookieOf, setupCookieOf } from "#worker/accounts/cookie.ts";
import {
  cookieAttributes,
  currentToken,
  forgetSession,
  keepSession,
  keepWithFactor,
} from "#worker/accounts/session-cookie.ts";
import { SETUP_PROOF_LASTS } from "#worker/accounts/account-links.ts";
import { denyAction } from "#worker/accounts/denial-commands.ts";
import { DEVICE_KNOWN_MS, noteDevice } from "#worker/accounts/devices.ts";
import {
  addPasskey,
  deletePasskey,
  renamePasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from "#worker/accounts/passkey-commands.ts";
import { replaceSigningKey } from "#worker/accounts/key-commands.ts";
import { acceptInvitation, resetPassword } from "#worker/accounts/password-commands.ts";
import {
  listPasskeys,
  listSecurityEvents,
  listSessions,
  listUsers,
  readAccount,
  readFactorRules,
  readSecondFactor,
  readSession,
  readUser,
} from "#worker/accounts/queries.ts";
import { requestReset, requestVerification } from "#worker/accounts/request-commands.ts";
import {
  disableSecondFactor,
  enableSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
  signInByCode,
  startSecondFactor,
  updateFactorRules,
} from "#worker/accounts/second-factor-commands.ts";
import { deleteOtherSessions, deleteSession, logIn, logOut } from "#worker/accounts/session-commands.ts";
import { authenticateSession } from "#worker/accounts/sessions.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { createToken, deleteToken } from "#worker/accounts/token-commands.ts";
import { listTokens } from "#worker/accounts/token-queries.ts";
import { confirmIdentity } from "#worker/accounts/identity-commands.ts";
import type { NewPasskey, PasskeyChange, PasskeySignIn } from "#worker/webauthn/contract.ts";
import { createUser, deleteUser, resendInvitation, updateUser } from "#worker/accounts/user-commands.ts";
import { checkLog } from "#worker/accounts/log-chain.ts";
import { readCopiedLogHeads } from "#worker/backups/queries.ts";
import { exportSecurityEvents } from "#worker/accounts/export-log.ts";
import { today } from "#worker/settings/queries.ts";
import { json, router, valid, type HonoEnv } from "#worker/platform/http/router.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";

/** Open to visitors: login, and the requests and links of emails. No answer reveals whether an address is known. */
const authApi = router()
  .post("/session", limitBurst("login"), json<LoginInput>(), async (c) => {
    const { token, answer, isFirst } = await logIn(c.var.ctx, c.req.valid("json"), currentToken(c));
    if (token !== null && "id" in answer) await keepSignIn(c, token, answer, isFirst);
    return c.json(answer, token === null ? 200 : 201);
  })
  .post("/session/code", limitBurst("login"), json<CodeSignIn>(), async (c) => {
    const { token, admin, isFirst } = await signInByCode(c.var.ctx, c.req.valid("json"), currentToken(c));
    await keepSignIn(c, token, admin, isFirst);
    return c.json(admin, 201);
  })
  .get("/session/passkey", limitBurst("passkey"), async (c) => c.json(await startPasskeySignIn(c.var.ctx)))
  .post("/session/passkey", limitBurst("login"), json<PasskeySignIn>(), async (c) => {
    const { token, admin, isFirst } = await signInByPasskey(c.var.ctx, c.req.valid("json"), currentToken(c));
    await keepSignIn(c, token, admin, isFirst);
    return c.json(admin, 201);
  })
  .get("/session", (c) => c.json(readSession(c.var.ctx)))
  .get("/session/proof", (c) => {
    requireRecentProof(c.var.ctx, PROOF_LASTS_FOR_NEXT);
    return c.body(null, 204);
  })
  .post("/session/proof", limitBurst("password"), json<Proof>(), async (c) => {
    const { byFactor } = await confirmIdentity(c.var.ctx, c.req.valid("json"));
    const token = await authenticateSession(c.var.ctx, currentToken(c) ?? "", { byFactor });
    if (token) keepSession(c, token);
    return c.body(null, 204);
  })
  .delete("/session", async (c) => {
    const token = currentToken(c);
    if (token) await logOut(c.var.ctx, token);
    forgetSession(c);
    return c.body(null, 204);
  })

  .post("/setup", limitBurst("setup"), json<SetupInput>(), async (c) => {
    const { proof } = await setUpAdmin(c.var.ctx, c.req.valid("json"));
    const { name, secure } = setupCookieOf(c.req.url);
    setCookie(c, name, proof, { ...cookieAttributes, secure, maxAge: SETUP_PROOF_LASTS });
    return c.json(
      { success: true, message: "Check your email, and open the link to finish setting up." },
      201,
    );
  })

  .post("/verification", limitBurst("verification"), json<VerificationRequest>(), async (c) => {
    await requestVerification(c.var.ctx, c.req.valid("json"));
    return c.json({
      success: true,
      message: "If this address is waiting to be confirmed, we sent a new link to it.",
    });
  })
  .post("/verification/confirm", limitBurst("confirm"), json<VerificationConfirm>(), async (c) => {
    const { name, secure } = setupCookieOf(c.req.url);
    const proof = getCookie(c, name) ?? "";
    const { id, email, session } = await confirmVerification(c.var.ctx, c.req.valid("json"), {
      proof,
      replaced: currentToken(c),
    });
    if (session !== null) {
      await keepSignIn(c, session, { id, email });
      deleteCookie(c, name, { ...cookieAttributes, secure });
    }
    const isSignedIn = session !== null;
    return c.json({ success: true, message: "Your email address is confirmed.", email, isSignedIn });
  })

  .post("/password-reset", limitBurst("reset"), json<ResetRequest>(), async (c) => {
    await requestReset(c.var.ctx, c.req.valid("json"));
    return c.json({
      success: true,
      message: "If this address has an account, we sent it a reset link. It expires in 1 hour.",
    });
  })
  .post("/not-me", limitBurst("confirm"), json<Denial>(), async (c) => {
    const denied = await denyAction(c.var.ctx, c.req.valid("json"));
    return c.json({
      success: true,
      message: "Every device is signed out. Choose a new password.",
      ...denied,
    });
  })
  .post("/password-reset/confirm", limitBurst("confirm"), json<ChosenPassword>(), async (c) => {
    const { email } = await resetPassword(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true, message: "Your password was changed.", email });
  })
  .post("/invitation/confirm", limitBurst("confirm"), json<ChosenPassword>(), async (c) => {
    const { id, email, session } = await acceptInvitation(c.var.ctx, c.req.valid("json"), currentToken(c));
    await keepSignIn(c, session, { id, email });
    return c.json({ success: true, message: "Your password is set.", email, isSignedIn: true });
  });

/** The user's own account. */
const ownApi = router()
  .get("/account", async (c) => c.json(await readAccount(c.var.ctx)))
  .patch("/account", json<AccountChange>(), async (c) =>
    c.json(await updateAccount(c.var.ctx, c.req.valid("json"))),
  )
  .post("/account/email", limitBurst("password"), json<AddressChange>(), async (c) =>
    c.json(await changeAddress(c.var.ctx, c.req.valid("json"))),
  )
  .post("/account/password", limitBurst("password"), json<PasswordChange>(), async (c) => {
    const { token, account } = await changePassword(c.var.ctx, c.req.valid("json"));
    await keepSignIn(c, token, account);
    return c.json(account);
  })

  .get("/account/passkeys", async (c) => c.json(await listPasskeys(c.var.ctx)))
  .post("/account/passkeys", json<NewPasskey>(), async (c) => {
    const passkey = await addPasskey(c.var.ctx, c.req.valid("json"));
    await keepWithFactor(c);
    return c.json(passkey, 201);
  })
  .post("/account/passkeys/options", async (c) => c.json(await startPasskey(c.var.ctx)))
  .patch("/account/passkeys/:id", json<PasskeyChange>(), async (c) =>
    c.json(await renamePasskey(c.var.ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .delete("/account/passkeys/:id", async (c) => {
    await deletePasskey(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })

  .get("/account/second-factor", async (c) => c.json(await readSecondFactor(c.var.ctx)))
  .post("/account/second-factor", async (c) => c.json(await startSecondFactor(c.var.ctx)))
  .put("/account/second-factor", limitBurst("password"), json<CodeForm>(), async (c) => {
    const codes = await enableSecondFactor(c.var.ctx, c.req.valid("json"));
    await keepWithFactor(c);
    return c.json(codes);
  })
  .delete("/account/second-factor", async (c) => {
    await disableSecondFactor(c.var.ctx);
    return c.body(null, 204);
  })
  .post("/account/recovery-codes", async (c) => c.json(await replaceRecoveryCodes(c.var.ctx), 201))

  .get("/sessions", async (c) => c.json(await listSessions(c.var.ctx)))
  .delete("/sessions", async (c) => {
    const token = await deleteOtherSessions(c.var.ctx);
    if (token !== null) keepSession(c, token);
    return c.body(null, 204);
  })
  .delete("/sessions/:id", async (c) => {
    await deleteSession(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  });

/** All accounts, and the audit log. */
const usersApi = router()
  .get("/security-events", valid("query", SecurityEventQuery), async (c) =>
    c.json(await listSecurityEvents(c.var.ctx, c.req.valid("query"))),
  )
  .get("/security-events/check", valid("query", LogCheckQuery), async (c) => {
    const { ctx } = c.var;
    const { after } = c.req.valid("query");
    const copies = isAllowed("settings", ctx) ? await readCopiedLogHeads(ctx) : [];
    return c.json(await checkLog(ctx, { after, copies }));
  })
  .get("/security-events/export", valid("query", SecurityEventQuery), async (c) => {
    const csv = await exportSecurityEvents(c.var.ctx, c.req.valid("query"));
    const day = await today(c.var.ctx);
    return c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="security-log-${day}.csv"`,
      "Cache-Control": "no-store",
    });
  })

  .post("/signing-key", async (c) => {
    await replaceSigningKey(c.var.ctx);
    return c.body(null, 204);
  })

  .get("/users", valid("query", UserListQuery), async (c) =>
    c.json(await listUsers(c.var.ctx, c.req.valid("query"))),
  )
  .post("/users", json<UserInput>(), async (c) =>
    c.json(await createUser(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/users/:id", async (c) => c.json(await readUser(c.var.ctx, c.req.param("id"))))
  .patch("/users/:id", json<UserChange>(), async (c) =>
    c.json(await updateUser(c.var.ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .delete("/users/:id", async (c) => {
    await deleteUser(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })
  .delete("/users/:id/second-factor", async (c) => {
    await resetSecondFactor(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })
  .get("/second-factor-rules", async (c) => c.json(await readFactorRules(c.var.ctx)))
  .put("/second-factor-rules", json<FactorRulesChange>(), async (c) =>
    c.json(await updateFactorRules(c.var.ctx, c.req.valid("json"))),
  )
  .post("/users/:id/invitation", async (c) => c.json(await resendInvitation(c.var.ctx, c.req.param("id"))));

const tokensApi = router()
  .get("/tokens", async (c) => c.json(await listTokens(c.var.ctx)))
  .post("/tokens", json<NewToken>(), async (c) =>
    c.json(await createToken(c.var.ctx, c.req.valid("json")), 201),
  )
  .delete("/tokens/:id", async (c) => {
    await deleteToken(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  });

/** After a sign-in: the session, and the device, by which the next sign-in with this browser is known. */
async function keepSignIn(
  c: HonoContext<HonoEnv>,
  token: string,
  user: Pick<Admin, "id" | "email">,
  isExpected = true,
) {
  keepSession(c, token);
  const { name, secure } = deviceCookieOf(c.req.url);
  const known = getCookie(c, name) ?? "";
  const device = DEVICE_TOKEN.test(known) ? known : randomToken();
  setCookie(c, name, device, { ...cookieAttributes, secure, maxAge: DEVICE_KNOWN_MS / 1000 });
  await noteDevice(c.var.ctx, user, device, { isExpected });
}

/** As `randomToken` makes them. */
const DEVICE_TOKEN = /^[\w-]{43}$/;

export const accountsApi = router()
  .route("/", authApi)
  .route("/", ownApi)
  .route("/", usersApi)
  .route("/", tokensApi);
