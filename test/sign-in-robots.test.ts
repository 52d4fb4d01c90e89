import { beforeEach, describe, expect, inject, it } from "vitest";
import { logIn } from "#worker/accounts/session-commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { addUser, anAddress, household, PASSWORD, rejectionOf } from "./support/accounts.ts";
import { fetchSite, jobContext, visitorContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";
import { TURNSTILE_SECRET } from "./support/turnstile-server.ts";

beforeEach(forgetRates);

type Person = Awaited<ReturnType<typeof addUser>>;

/** A site with Turnstile, for a visitor of this household. */
function withTurnstile(address = household(), secretKey = TURNSTILE_SECRET): Context {
  const turnstile = { siteKey: "1x00AA", secretKey, url: `http://127.0.0.1:${inject("turnstile")}` };
  const { config } = jobContext();
  return visitorContext({ client: { address, userAgent: "" }, config: { ...config, turnstile } });
}

const fail = ({ email }: Pick<Person, "email">, ctx = withTurnstile()) =>
  rejectionOf(logIn(ctx, { email, password: "Not the password 1" }));

const REFUSED = { code: "invalid", message: "Pass the robot check below, then sign in again." };

describe("a login of a site with Turnstile", () => {
  it("asks for a robot check after three failures of an account, whatever the address", async () => {
    const user = await addUser();
    const signIn = (robotCheck?: string) =>
      logIn(withTurnstile(), { email: user.email, password: PASSWORD, robotCheck });
    for (let n = 0; n < 3; n++) expect((await fail(user)).code).toBe("unauthenticated");
    expect(await rejectionOf(signIn())).toMatchObject(REFUSED);
    expect(await rejectionOf(signIn("forged"))).toMatchObject(REFUSED);
    const token = `ok ${crypto.randomUUID()}`;
    expect((await signIn(token)).token).not.toBeNull();
    expect((await signIn()).token).not.toBeNull();
  });

  it("asks after three failures of an address, whatever the account", async () => {
    const ctx = withTurnstile();
    for (let n = 0; n < 3; n++) await fail({ email: anAddress() }, ctx);
    expect(await fail({ email: anAddress() }, ctx)).toMatchObject(REFUSED);
    expect((await fail({ email: anAddress() })).code).toBe("unauthenticated");
  });

  it("takes a token once", async () => {
    const user = await addUser();
    for (let n = 0; n < 3; n++) await fail(user);
    const guess = {
      email: user.email,
      password: "Not the password 1",
      robotCheck: `ok ${crypto.randomUUID()}`,
    };
    expect((await rejectionOf(logIn(withTurnstile(), guess))).code).toBe("unauthenticated");
    expect(await rejectionOf(logIn(withTurnstile(), guess))).toMatchObject(REFUSED);
  });

  it("does not count what it refuses for want of a check", async () => {
    const user = await addUser();
    for (let n = 0; n < 3; n++) await fail(user);
    for (let n = 0; n < 10; n++) expect(await fail(user)).toMatchObject(REFUSED);
    const robotCheck = `ok ${crypto.randomUUID()}`;
    expect(
      (await logIn(withTurnstile(), { email: user.email, password: PASSWORD, robotCheck })).token,
    ).not.toBeNull();
  });

  it("lets the exact limits do if Turnstile is out of order", async () => {
    const user = await addUser();
    for (let n = 0; n < 3; n++) await fail(user);
    const signedIn = await logIn(withTurnstile(), {
      email: user.email,
      password: PASSWORD,
      robotCheck: "down",
    });
    expect(signedIn.token).not.toBeNull();
  });
});

describe("a login of a site without Turnstile", () => {
  it("asks for nothing, and loads nothing from Cloudflare", async () => {
    const user = await addUser();
    for (let n = 0; n < 3; n++) await fail(user, visitorContext());
    expect((await logIn(visitorContext(), { email: user.email, password: PASSWORD })).token).not.toBeNull();
    const page = await fetchSite("/admin/login");
    expect(page.headers.get("Content-Security-Policy")).not.toContain("challenges.cloudflare.com");
  });
});
