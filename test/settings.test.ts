import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, test } from "vitest";
import { resetEmail } from "#worker/accounts/emails.ts";
import { inWords } from "#worker/platform/contract.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { SiteChange, siteDefaults, type Site } from "#worker/settings/contract.ts";
import { readSender, readSettings, readSite } from "#worker/settings/queries.ts";
import { addUser, errorOf, mailsTo, rejectionOf } from "./support/accounts.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { open } from "./support/pages.ts";

const owner = () => ownerContext();
const email = (values: Partial<Site["email"]>) => ({ ...siteDefaults.email, ...values });
const features = (values: Partial<Site["features"]>) => ({ ...siteDefaults.features, ...values });

beforeEach(() => updateSite(owner(), siteDefaults));

describe("an update", () => {
  it("changes the parts that it names and keeps the rest", async () => {
    await updateSite(owner(), { name: "Imogen", social: { x: "https://example.com/a" } });
    await updateSite(owner(), { description: "Said twice" });
    expect(await readSite(visitorContext())).toMatchObject({
      name: "Imogen",
      description: "Said twice",
      social: { x: "https://example.com/a" },
    });
  });

  it("preserves a concurrent change of other parts", async () => {
    const words = { name: "One", language: "de", description: "Three", contactEmail: "a@example.com" };
    await Promise.all(Object.entries(words).map(([part, value]) => updateSite(owner(), { [part]: value })));
    expect(await readSite(visitorContext())).toMatchObject(words);
  });

  it("takes links away that it leaves out, and the patron link when it is empty", async () => {
    const patronUrl = "https://example.com/patron";
    await updateSite(owner(), { patronUrl, platforms: { apple: "https://example.com/b" } });
    await updateSite(owner(), { patronUrl: "", platforms: {} });
    expect(await readSite(visitorContext())).toMatchObject({ patronUrl: "", platforms: {} });
  });

  it("is refused when the settings were changed since, and then changes nothing", async () => {
    const { updatedAt: basedOn } = await readSettings(owner());
    const { updatedAt } = await updateSite(owner(), { name: "First", basedOn });
    expect(updatedAt).toBeGreaterThan(basedOn);
    const error = await rejectionOf(updateSite(owner(), { name: "Second", basedOn }));
    expect(error.code).toBe("conflict");
    expect(await readSettings(owner())).toMatchObject({ site: { name: "First" }, updatedAt });
    await updateSite(owner(), { name: "Third", basedOn: updatedAt });
    expect((await readSite(visitorContext())).name).toBe("Third");
  });

  it("is a new version even in the same millisecond", async () => {
    const now = new Date();
    const first = await updateSite(ownerContext({ now }), { name: "First" });
    const second = await updateSite(ownerContext({ now }), { name: "Second" });
    expect(second.updatedAt).toBeGreaterThan(first.updatedAt);
  });
});

describe("a refusal has one message in plain words", () => {
  const tier = { name: "A", price: 5, benefits: [] };
  const row = { network: "total", followers: "1", engagement: "" } as const;
  it.each<[string, string, SiteChange]>([
    ["name", "Give the site a name.", { name: " " }],
    ["description", "At most 300 characters.", { description: "x".repeat(301) }],
    ["contactEmail", "Enter an email address.", { contactEmail: "nobody" }],
    ["social.x", "Enter a full address that starts with https://.", { social: { x: "http://a.example" } }],
    ["platforms.apple", "Enter a full address that starts with https://.", { platforms: { apple: "a" } }],
    ["patronUrl", "Enter a full address that starts with https://.", { patronUrl: "javascript:alert(1)" }],
    ["tiers.0.name", "Give the tier a name.", { tiers: [{ ...tier, name: "" }] }],
    ["tiers.0.price", "Enter whole dollars, from 1 to 10,000.", { tiers: [{ ...tier, price: 2.5 }] }],
    ["tiers.0.price", "Enter whole dollars, from 1 to 10,000.", { tiers: [{ ...tier, price: Number.NaN }] }],
    ["tiers.1.name", "This is already in the list.", { tiers: [tier, tier] }],
    ["tiers.0.benefits", "Two benefits are the same.", { tiers: [{ ...tier, benefits: ["a", "a"] }] }],
    ["tiers", "At most 6 entries.", { tiers: "abcdefg".split("").map((name) => ({ ...tier, name })) }],
    [
      "figures.asOf",
      "Enter a month as yyyy-mm.",
      { figures: { ...siteDefaults.figures, asOf: "October 2026" } },
    ],
    ["figures.asOf", "Enter a month as yyyy-mm.", { figures: { ...siteDefaults.figures, asOf: "2026-13" } }],
    [
      "figures.mediaKit.0.value",
      "Enter the figure.",
      { figures: { ...siteDefaults.figures, mediaKit: [{ label: "Reach", value: "" }] } },
    ],
    [
      "socialProof.0.followers",
      "Enter the number of followers.",
      { socialProof: [{ ...row, followers: "" }] },
    ],
    ["socialProof.1.network", "This is already in the list.", { socialProof: [row, row] }],
    ["frameHosts.0", "Enter a host such as www.example.org.", { frameHosts: ["https://a.example/"] }],
    ["email.fromEmail", "Enter an email address.", { email: email({ fromEmail: "me" }) }],
    ["email.replyTo", "Enter an email address.", { email: email({ replyTo: "a@b@c" }) }],
  ])("%s: %s", (field, message, change) => {
    const issues = SiteChange.safeParse(change, { error: inWords }).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[field, message]]);
  });
});

describe("the sender of the site's emails", () => {
  it("is MAIL_FROM under the site's name until it is set", async () => {
    await updateSite(owner(), { name: "Imogen Tarrant" });
    expect(await readSender(visitorContext())).toEqual({
      siteName: "Imogen Tarrant",
      sender: {
        from: { address: env.MAIL_FROM, name: "Imogen Tarrant" },
        site: { name: "Imogen Tarrant", language: "en-AU", postalAddress: "" },
      },
    });
  });

  it("is From Name and From Email, with the reply-to, in every kind of email; the words keep the site's name", async () => {
    const chosen = { fromName: "Imogen", fromEmail: "letters@example.com", replyTo: "imogen@example.org" };
    await updateSite(owner(), { name: "Plain Ground", email: chosen });
    const user = await addUser();
    await (
      await resetEmail(visitorContext(), { ...user, pendingEmail: null })
    ).statement;
    expect((await mailsTo(user.email)).at(-1)).toMatchObject({
      from: { address: "letters@example.com", name: "Imogen" },
      replyTo: { address: "imogen@example.org" },
      subject: "Reset your password for Plain Ground",
    });
  });

  it("must be at the domain of MAIL_FROM", async () => {
    const change = (fromEmail: string) => updateSite(owner(), { email: email({ fromEmail }) });
    for (const address of ["me@example.net", "me@mail.example.com", "me@notexample.com"]) {
      const error = await rejectionOf(change(address));
      expect(error).toMatchObject({ code: "invalid", field: "email.fromEmail" });
      expect(error.message).toContain("Use an address at example.com");
    }
    await change("Letters@EXAMPLE.com");
  });

  it("is MAIL_FROM again when that has moved to another domain", async () => {
    await updateSite(owner(), { email: email({ fromEmail: "letters@example.com" }) });
    const ctx = visitorContext();
    const moved = { ...ctx, config: { ...ctx.config, mailFrom: "site@elsewhere.example" } };
    expect((await readSender(moved)).sender.from.address).toBe("site@elsewhere.example");
  });
});

describe("the API", () => {
  it("reads the settings with the deployment's own, and takes a part of them", async () => {
    const { api } = await signedIn("admin");
    const before = await (await api.settings.$get()).json();
    expect(before).toMatchObject({
      site: { name: "Rostrum" },
      siteUrl: "http://localhost:8787",
      mailFrom: env.MAIL_FROM,
    });
    const response = await api.settings.$put({ json: { name: "Renamed", basedOn: before.updatedAt } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ site: { name: "Renamed", language: "en-AU" } });
  });

  it("names the field that it refuses", async () => {
    const { api } = await signedIn("admin");
    const response = await api.settings.$put({ json: { social: { x: "x.com" } } });
    expect(response.status).toBe(422);
    expect(await errorOf(response as unknown as Response)).toMatchObject({ field: "social.x" });
  });
});

describe("a feature that is switched off", () => {
  const listed = async () => (await (await fetchSite("/sitemap.xml")).text()).includes("/guest<");

  test("removes its page, the links to it and its sitemap entry, and restores them", async () => {
    expect((await open("/guest")).response.status).toBe(200);
    expect((await open("/about")).html).toContain('href="/guest"');
    expect(await listed()).toBe(true);
    await updateSite(owner(), { features: features({ guestSubmissions: false }) });
    expect((await open("/guest")).response.status).toBe(404);
    for (const path of ["/", "/about", "/podcast", "/contact"]) {
      expect((await open(path)).html, path).not.toContain('href="/guest"');
    }
    expect(await listed()).toBe(false);
    await updateSite(owner(), { features: features({}) });
    expect((await open("/guest")).response.status).toBe(200);
    expect(await listed()).toBe(true);
  });
});
