import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { expectChanges } from "#worker/platform/http/cache.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { readPreload } from "#worker/settings/queries.ts";
import { HOUR } from "./support/accounts.ts";
import { ask } from "./support/cached.ts";
import { contextAs, jobContext, ownerContext, visitorContext } from "./support/client.ts";

const USUAL = "max-age=31536000; includeSubDomains";

const allowed = { transport: { preload: true } };
const forbidden = { transport: { preload: false } };

const headerOf = async (path: string) => (await ask(path)).response.headers.get("Strict-Transport-Security");

/** As a request does that changes the settings. */
async function change(input: typeof allowed, ctx = ownerContext()) {
  await updateSite(ctx, input);
  expectChanges();
}

afterEach(() => change(forbidden, jobContext()));

describe("the preload list of browsers", () => {
  it("is not allowed before a super admin allows it, and then by pages, also those that were cached", async () => {
    expect([await headerOf("/"), await headerOf("/"), await headerOf("/about")]).toEqual([
      USUAL,
      USUAL,
      USUAL,
    ]);
    await change(allowed);
    for (const path of ["/", "/about", "/no-such-page"])
      expect([path, await headerOf(path)]).toEqual([path, `${USUAL}; preload`]);
    await change(forbidden);
    expect([await headerOf("/"), await headerOf("/about")]).toEqual([USUAL, USUAL]);
  });

  it("leaves other answers as they are, and no header of the Worker's own", async () => {
    await change(allowed);
    expect(await headerOf("/api/health")).toBe(USUAL);
    const { headers } = (await ask("/")).response;
    expect([...headers.keys()].filter((name) => name.startsWith("rostrum"))).toEqual([]);
  });

  it("is changed by super admins only", async () => {
    await expect(updateSite(contextAs("admin"), allowed)).rejects.toMatchObject({ code: "forbidden" });
    await expect(updateSite(visitorContext(), allowed)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await headerOf("/")).toBe(USUAL);
  });

  it("is changed after a recent proof only, in both directions", async () => {
    const stale = ownerContext();
    stale.actor = { ...stale.actor, authenticatedAt: new Date(Date.now() - HOUR) } as typeof stale.actor;
    const refused = { code: "reauthentication_required" };
    await expect(updateSite(stale, allowed)).rejects.toMatchObject(refused);
    await change(allowed);
    await expect(updateSite(stale, forbidden)).rejects.toMatchObject(refused);
  });

  it("does not keep an admin from saving the settings as they are", async () => {
    const { site } = await updateSite(contextAs("admin"), { ...siteDefaults, name: "As it is" });
    expect(site.transport.preload).toBe(false);
  });

  it("is in the audit log when it changes", async () => {
    const events = async () =>
      (
        await env.DB.prepare(
          "select detail, email from security_events where kind = 'preload_changed' order by id",
        ).all()
      ).results;
    const before = (await events()).length;
    for (const input of [allowed, allowed, forbidden]) await change(input);
    const email = "owner@example.com";
    expect((await events()).slice(before)).toEqual([
      { detail: "on", email },
      { detail: "off", email },
    ]);
  });

  it("is shown to admins, who may not change it", async () => {
    expect(await readPreload(contextAs("admin"))).toEqual({ isAllowed: false, mayChange: false });
    expect(await readPreload(ownerContext())).toEqual({ isAllowed: false, mayChange: true });
    await expect(readPreload(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
  });
});
