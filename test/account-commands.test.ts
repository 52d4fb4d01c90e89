import { describe, expect, it } from "vitest";
import { changeAddress, changePassword, updateAccount } from "#worker/accounts/account-commands.ts";
import { replaceSigningKey } from "#worker/accounts/key-commands.ts";
import { acceptInvitation, resetPassword } from "#worker/accounts/password-commands.ts";
import { requestReset, requestVerification } from "#worker/accounts/request-commands.ts";
import { deleteOtherSessions, deleteSession, logIn } from "#worker/accounts/session-commands.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { createUser, deleteUser, resendInvitation, updateUser } from "#worker/accounts/user-commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { loginAttempts, users } from "#worker/accounts/table.ts";
import { addUser, mailsTo, rejectionOf, signedInAs } from "./support/accounts.ts";
import { jobContext, visitorContext } from "./support/client.ts";

const { db } = jobContext();

/** Called as imports, jobs and the demo call them: without the API, with unparsed input. */
type Command = (ctx: Context, input: never) => Promise<unknown>;

const nobodys: [string, Command, unknown, string][] = [
  ["logIn", logIn, { email: "", password: "x" }, "email"],
  ["setUpAdmin", setUpAdmin, { email: "owner@example.com", fullName: "A\nB", password: "x" }, "fullName"],
  ["requestReset", requestReset, { email: "nonsense" }, "email"],
  ["requestVerification", requestVerification, { email: "nonsense" }, "email"],
  ["confirmVerification", confirmVerification, { token: "" }, "token"],
  ["resetPassword", resetPassword, { token: "t", password: "short" }, "password"],
  ["acceptInvitation", acceptInvitation, { token: "t", password: "short" }, "password"],
];

const ones: typeof nobodys = [
  ["updateAccount", updateAccount, { fullName: "" }, "fullName"],
  ["changeAddress", changeAddress, { email: "nonsense", currentPassword: "x" }, "email"],
  ["changePassword", changePassword, { currentPassword: "x", password: "short" }, "password"],
];

const admins: typeof nobodys = [
  ["createUser", createUser, { email: "nonsense", fullName: "A" }, "email"],
  ["updateUser", (ctx, input) => updateUser(ctx, "none", input), { role: "king" }, "role"],
];

describe("a command", () => {
  it.each([...nobodys, ...ones, ...admins])(
    "%s validates its own input",
    async (_name, command, input, field) => {
      const owner = signedInAs(await addUser({ role: "super_admin" }));
      const [usersBefore, mailsBefore] = [await db.$count(users), await db.$count(outbox)];
      const attemptsBefore = await db.$count(loginAttempts);
      expect(await rejectionOf(command(owner, input as never))).toMatchObject({ code: "invalid", field });
      expect(await db.$count(users)).toBe(usersBefore);
      expect(await db.$count(outbox)).toBe(mailsBefore);
      expect(await db.$count(loginAttempts)).toBe(attemptsBefore);
    },
  );

  it.each([...nobodys, ...ones, ...admins])("%s takes no unknown field", async (_name, command) => {
    const owner = signedInAs(await addUser({ role: "super_admin" }));
    const input = {
      email: "owner@example.com",
      fullName: "A",
      token: "t",
      password: "A quiet verandah 7",
      currentPassword: "x",
      emailVerified: true,
    };
    expect((await rejectionOf(command(owner, input as never))).code).toBe("invalid");
  });

  it.each<[string, Command]>([
    ...[...ones, ...admins].map(([name, command]): [string, Command] => [name, command]),
    ["deleteUser", (ctx) => deleteUser(ctx, "none")],
    ["resendInvitation", (ctx) => resendInvitation(ctx, "none")],
    ["deleteSession", (ctx) => deleteSession(ctx, "none")],
    ["deleteOtherSessions", deleteOtherSessions],
    ["replaceSigningKey", replaceSigningKey],
  ])("%s asks who it is before it reads the input", async (_name, command) => {
    expect((await rejectionOf(command(visitorContext(), {} as never))).code).toBe("unauthenticated");
  });

  it.each<[string, Command]>([
    ...admins.map(([name, command]): [string, Command] => [name, command]),
    ["deleteUser", (ctx) => deleteUser(ctx, "none")],
    ["resendInvitation", (ctx) => resendInvitation(ctx, "none")],
  ])("%s is forbidden to an editor before it reads the input", async (_name, command) => {
    const editor = signedInAs(await addUser({ role: "editor" }));
    expect((await rejectionOf(command(editor, {} as never))).code).toBe("forbidden");
  });
});

describe("an email of an account", () => {
  it("is logged with the site's own name", async () => {
    const ctx = signedInAs(await addUser({ role: "super_admin" }));
    const { email } = await createUser(ctx, { email: "new@example.com", fullName: "New" });
    const [mail] = await mailsTo(email);
    expect(mail?.from.address).toBe(ctx.config.mailFrom);
    expect(mail?.subject).toContain(mail?.from.name ?? "no name");
  });
});
