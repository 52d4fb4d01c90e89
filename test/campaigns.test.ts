import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { listCampaigns } from "#worker/campaigns/queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { NewCampaign } from "#worker/campaigns/contract.ts";
import { mayFrame } from "#worker/campaigns/frames.ts";
import { allowFrames } from "#worker/platform/http/security.ts";
import { fetchSite, ownerContext, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { headingsOf, open, titleOf } from "./support/pages.ts";
import { plansOf } from "./support/plans.ts";

const aCampaign = (overrides: Partial<NewCampaign> = {}) =>
  ({
    title: `Campaign ${unique()}`,
    description: `What it asks for, ${unique()}.`,
    embedUrl: "https://petitions.example.org/EN8108",
    ...overrides,
  }) satisfies NewCampaign;

async function saved(overrides: Partial<NewCampaign> = {}) {
  const input = aCampaign(overrides);
  return { ...input, ...(await createCampaign(ownerContext(), input)) };
}

/** Puts away what earlier tests wrote, and names the hosts that may be framed. */
async function start(frameHosts: string[] = ["petitions.example.org"]) {
  await ownerContext().db.run(sql`delete from campaigns`);
  await updateSite(ownerContext(), { name: "Imogen Tarrant", frameHosts });
}

const framesOf = ({ headers }: Response) =>
  /frame-src ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "")?.[1];
const frameIn = (html: string) => /<iframe[^>]*>/.exec(html)?.[0] ?? null;

describe("a new campaign", () => {
  it("needs a title and a secure address", () => {
    const complaints = (input: object) =>
      NewCampaign.safeParse(input).error?.issues.map(({ message }) => message);
    const secure = "Enter a full address that starts with https://.";
    expect(complaints({ title: "", embedUrl: "http://example.org" })).toEqual(["Title is required", secure]);
    expect(complaints({ title: "T", embedUrl: "javascript:alert(1)" })).toEqual([secure]);
  });

  it("is refused from a visitor", async () => {
    await expect(createCampaign(visitorContext(), aCampaign())).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

describe("the list", () => {
  it("holds the active campaigns in the owner's order", async () => {
    await start();
    const second = await saved({ sortOrder: 2 });
    const first = await saved({ sortOrder: 1 });
    const third = await saved({ sortOrder: 2 });
    await saved({ status: "closed" });
    const campaigns = await listCampaigns(visitorContext());
    expect(campaigns.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
  });

  it("is read from its index", async () => {
    const steps = (await plansOf((ctx) => listCampaigns(ctx))).join("; ");
    expect(steps).toContain("campaigns_shown");
    expect(steps).not.toContain("TEMP B-TREE");
  });
});

describe("an address may be framed", () => {
  const hosts = ["petitions.example.org", "fund.example.org"];
  it.each([
    ["https://petitions.example.org/EN8108", true],
    ["https://fund.example.org:443/1?a=b", true],
    ["https://example.org/", false],
    ["https://evil.petitions.example.org/", false],
    ["https://petitions.example.org.evil.example/", false],
    ["https://petitions.example.org@evil.example/", false],
    ["https://petitions.example.org:8443/", false],
    ["http://petitions.example.org/", false],
  ])("only from a configured host over https: %s is %s", (url, may) => {
    expect(mayFrame(url, hosts)).toBe(may);
  });
});

describe("/petitions", () => {
  it("shows the first campaign unless another is chosen, which is a link", async () => {
    await start();
    const first = await saved({ title: `First ${unique()}`, reference: "EN8108", category: "Policy" });
    const second = await saved({ title: `Second ${unique()}`, type: "crowdfund" });
    const { response, html, text } = await open("/petitions");
    expect(response.status).toBe(200);
    expect(titleOf(html)).toBe("Petitions | Imogen Tarrant");
    expect(html).toContain('rel="canonical" href="http://localhost:8787/petitions"');
    expect(text).toContain("Petition Policy EN8108");
    expect(html).toMatch(new RegExp(`<h2[^>]*>${first.title}</h2>`));
    expect(text).toContain(first.description);
    expect(text).not.toContain(second.description);
    expect(html).toMatch(
      new RegExp(`aria-current="true"[^>]*href="/petitions\\?campaign=${first.id}#campaign"`),
    );
    const chosen = await open(`/petitions?campaign=${second.id}`);
    expect(chosen.html).toMatch(new RegExp(`<h2[^>]*>${second.title}</h2>`));
    expect(chosen.text).toContain("Crowdfunding");
    expect(chosen.html).toMatch(new RegExp(`aria-current="true"[^>]*campaign=${second.id}#`));
    expect(chosen.html).toContain('rel="canonical" href="http://localhost:8787/petitions"');
  });

  it.each(["999999", "nonsense", "%3Cscript%3E"])(
    "shows the first campaign with a notice when ?campaign=%s is not active",
    async (id) => {
      await start();
      const first = await saved();
      const { response, html, text } = await open(`/petitions?campaign=${id}`);
      expect(response.status).toBe(200);
      expect(html).toMatch(new RegExp(`<h2[^>]*>${first.title}</h2>`));
      expect(text).toContain("That campaign is closed.");
    },
  );

  it("frames it 700 px high, titled, lazily, and fenced in", async () => {
    await start();
    const campaign = await saved({ title: `Framed ${unique()}` });
    const { html } = await open("/petitions");
    const frame = frameIn(html) ?? "";
    expect(frame).toContain(`src="${campaign.embedUrl}"`);
    expect(frame).toContain('height="700"');
    expect(frame).toContain('loading="lazy"');
    expect(frame).toContain(`title="${campaign.title}, a form of petitions.example.org"`);
    const sandbox = /sandbox="([^"]*)"/.exec(frame)?.[1]?.split(" ") ?? [];
    expect(sandbox).toContain("allow-forms");
    expect(sandbox.filter((token) => token.includes("top-navigation"))).toEqual([]);
    expect(html).toContain("open it on");
  });

  it("links to a campaign whose host is not configured, and frames nothing", async () => {
    await start(["fund.example.org"]);
    const campaign = await saved();
    const { html, text } = await open("/petitions");
    expect(frameIn(html)).toBeNull();
    expect(html).toContain(`href="${campaign.embedUrl}"`);
    expect(text).toContain("Sign it on petitions.example.org");
  });

  it("shows the next step when there is no campaign", async () => {
    await start();
    const { html, text } = await open("/petitions");
    expect(text).toContain("No campaigns at the moment");
    expect(html).toContain('href="/conversations"');
    expect(frameIn(html)).toBeNull();
  });

  it("has one h1, and heading levels without gaps", async () => {
    await start();
    await saved();
    const levels = headingsOf((await open("/petitions")).html);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, place) => expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1));
  });

  it("shows a hostile title as the text it is", async () => {
    await start();
    const title = `"><script>alert("1")</script> ${unique()}`;
    await saved({ title });
    const { html, text } = await open("/petitions");
    expect(html).not.toContain("<script>alert");
    expect(text).toContain(title);
  });

  it("asks D1 for settings, show and campaigns, once each", async () => {
    const { response } = await open("/petitions");
    expect(response.headers.get("Server-Timing")).toContain('"3 statements, ');
  });

  it("says when the campaigns cannot be read, and offers to try again", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table campaigns rename to campaigns_away`);
    const { response, text } = await open("/petitions");
    await db.run(sql`alter table campaigns_away rename to campaigns`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to load campaigns. Please try again later. An unexpected error occurred.");
    expect(text).toContain("Try Again");
  });
});

describe("the content policy", () => {
  it("of a public page frames the configured hosts, since client-side navigation may reach the petitions page", async () => {
    await start(["petitions.example.org", "fund.example.org"]);
    for (const path of ["/petitions", "/", "/podcast", "/no-such-page"]) {
      expect(framesOf(await fetchSite(path))).toBe("https://petitions.example.org https://fund.example.org");
    }
  });

  it("frames nothing without configured hosts, and nothing in the admin area", async () => {
    await start([]);
    expect(framesOf(await fetchSite("/petitions"))).toBe("'none'");
    await start();
    expect(framesOf(await fetchSite("/admin/login"))).toBe("'none'");
  });

  it("ignores hosts named in a request", async () => {
    await start();
    const { response } = await open("/petitions?frameHosts=evil.example&campaign=https://evil.example", {
      headers: {
        "Rostrum-Frame-Sources": "https://evil.example",
        "Content-Security-Policy": "frame-src *",
        Host: "evil.example",
      },
    });
    expect(response.headers.get("Content-Security-Policy")).not.toContain("evil.example");
    expect(framesOf(response)).toBe("https://petitions.example.org");
  });

  it("gets its frame hosts from an internal header that is removed", async () => {
    await start();
    for (const path of ["/petitions", "/petitions.data", "/no-such-page"]) {
      expect((await fetchSite(path)).headers.has("Rostrum-Frame-Sources")).toBe(false);
    }
  });

  it.each(["*", "example.org; script-src *", "example.org 'self'", "https://example.org", ""])(
    "refuses %j as a host",
    (host) => {
      expect(() => allowFrames(new Headers(), [host])).toThrow("Not a host");
    },
  );
});
