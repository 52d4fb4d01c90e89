import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { hasLeaked } from "#worker/accounts/leaked-passwords.ts";
import { changePassword } from "#worker/accounts/account-commands.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { createUser } from "#worker/accounts/user-commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { addUser, anAddress, aUser, PASSWORD, rejectionOf, signedInAs } from "./support/accounts.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { LEAKED } from "./support/leaked-passwords-server.ts";

const LOCAL = { ...jobContext().config, loopback: true };
const service = `http://127.0.0.1:${inject("leakedPasswords")}`;
const ask = (password: string, mode = "") =>
  hasLeaked(jobContext({ config: LOCAL }), `${service}${mode}`, password);
const [leaked, padded] = Object.keys(LEAKED) as [string, string];

afterEach(async () => {
  vi.restoreAllMocks();
  await updateSite(ownerContext(), { passwords: siteDefaults.passwords });
});

describe("the service of leaked passwords", () => {
  it("knows one that has leaked", async () => {
    expect(await ask(leaked)).toBe(true);
    expect(await ask(leaked, "/")).toBe(true);
  });

  it("does not know another, or one whose line only pads the answer", async () => {
    expect(await ask("A quiet verandah 7")).toBe(false);
    expect(await ask(padded)).toBe(false);
  });

  it("is read to a limit if its answer has no end", async () => {
    expect(await ask(leaked, "/endless")).toBe(true);
  });

  it.each(["/down", "/cut", "/html"])("is taken to know nothing if it fails: %s", async (mode) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await ask(leaked, mode)).toBe(false);
    expect(warn.mock.calls.length).toBe(mode === "/html" ? 0 : 1);
    // No log has the password or its hash.
    expect(JSON.stringify(warn.mock.calls)).not.toContain(leaked);
  });

  it("is not followed to another address, which may be unencrypted", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await ask(leaked, "/moved")).toBe(false);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("is not asked in the private network", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const fetched = vi.spyOn(globalThis, "fetch");
    expect(await hasLeaked(jobContext(), service, leaked)).toBe(false);
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe("the address of the service", () => {
  it.each([
    ["api.example.org", "Enter a full address, such as https://example.com/page."],
    ["http://api.example.org", "Enter an address that starts with https://."],
    ["https://10.0.0.8", "Enter an address on the internet. This one is private."],
    ["https://me:secret@api.example.org", "Leave out the user and password."],
    ["https://api.example.org:8443", "Leave out the port."],
    ["https://api.example.org/?key=1", "End the address before “?” or “#”."],
  ])("cannot be %s", async (breachService, message) => {
    expect(await rejectionOf(updateSite(ownerContext(), { passwords: { breachService } }))).toMatchObject({
      code: "invalid",
      field: "passwords.breachService",
      message,
    });
  });

  it("is none by default, and is stored as it is entered", async () => {
    expect(siteDefaults.passwords.breachService).toBe("");
    const passwords = { breachService: "https://api.example.org/v1/" };
    expect((await updateSite(ownerContext(), { passwords })).site.passwords).toEqual(passwords);
  });

  it("is in the security log when it changes", async () => {
    const { db } = jobContext();
    await updateSite(ownerContext(), { passwords: siteDefaults.passwords });
    await db.delete(securityEvents);
    for (const breachService of ["https://api.example.org", "https://api.example.org", ""])
      await updateSite(ownerContext(), { passwords: { breachService } });
    expect((await db.select().from(securityEvents)).map(({ kind, detail }) => [kind, detail])).toEqual([
      ["password_service_changed", "https://api.example.org"],
      ["password_service_changed", "none"],
    ]);
  });
});

describe("a new password", () => {
  it("that has leaked is refused if the owner has set a service", async () => {
    const user = await addUser();
    const config = LOCAL;
    const change = () =>
      changePassword(signedInAs(user, { config }), { currentPassword: PASSWORD, password: leaked });
    await updateSite(ownerContext({ config }), { passwords: { breachService: service } });
    expect(await rejectionOf(change())).toMatchObject({
      code: "invalid",
      field: "password",
      message: "This password has leaked from another site. Please choose another.",
    });
    const added = createUser(ownerContext({ config }), aUser({ email: anAddress(), password: leaked }));
    expect((await rejectionOf(added)).field).toBe("password");
    await updateSite(ownerContext(), { passwords: siteDefaults.passwords });
    await expect(change()).resolves.toMatchObject({ account: { id: user.id } });
  });

  it("is accepted if the service does not answer", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await updateSite(ownerContext({ config: LOCAL }), { passwords: { breachService: `${service}/down` } });
    const user = await addUser();
    const ctx = signedInAs(user, { config: LOCAL });
    await expect(changePassword(ctx, { currentPassword: PASSWORD, password: leaked })).resolves.toMatchObject(
      { account: { id: user.id } },
    );
  });
});
