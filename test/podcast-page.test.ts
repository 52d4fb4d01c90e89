import { describe, expect, it } from "vitest";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { ownerContext } from "./support/client.ts";
import { open } from "./support/pages.ts";

const tiers: Site["tiers"] = [
  { name: "Neighbour", price: 5, benefits: ["Your name in the notes"] },
  { name: "Regular", price: 15, benefits: ["The full recording"], url: "https://pay.example.org/regular" },
  { name: "Patron", price: 50, benefits: ["A table at the dinner"] },
];

async function podcastWith(site: Partial<Site>) {
  await updateSite(ownerContext(), {
    ...siteDefaults,
    name: "Imogen Tarrant",
    patronUrl: "",
    ...site,
  });
  return open("/podcast");
}

/** The links of its main part with this text. */
const hrefOf = (html: string, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>(?:(?!</a>)[\\s\\S])*${text}`).exec(
    html.slice(html.indexOf("<main"), html.indexOf("</main>")),
  )?.[1];

describe("the platform tiles", () => {
  it("lead to each platform that has a link, and to the feed", async () => {
    const { html, text } = await podcastWith({
      platforms: {
        youtube: "https://example.com/youtube",
        apple: "https://example.com/apple",
        spotify: "https://example.com/spotify",
        amazon: "https://example.com/amazon",
        pocketCasts: "https://example.com/pocketCasts",
        antennaPod: "https://example.com/antennaPod",
      },
    });
    expect(text).toMatch(
      /Find Your app Watch on YouTube Listen on Apple Podcasts Listen on Spotify Listen on Amazon Music Listen on Pocket Casts Listen on AntennaPod Follow by RSS/,
    );
    for (const name of ["youtube", "apple", "spotify", "amazon", "pocketCasts", "antennaPod"])
      expect(html).toContain(`href="https://example.com/${name}"`);
    expect(hrefOf(html, "Follow by")).toBe("/rss/podcast.xml");
  });

  it("have none for Google Podcasts, which has closed; its stored link is accepted", async () => {
    const { main, text } = await podcastWith({ platforms: { google: "https://example.com/google" } });
    expect(main).not.toContain("example.com/google");
    expect(text).not.toContain("Your app");
  });

  it("are not shown without a link, but for the feed", async () => {
    const { html, text } = await podcastWith({ platforms: { spotify: "https://example.com/spotify" } });
    expect(text).toContain("Listen on Spotify Follow by RSS");
    expect(html).not.toContain("Apple Podcasts");
    expect((await podcastWith({})).text).toContain("Follow by RSS");
  });
});

describe("the supporter tiers", () => {
  it("show price, benefits and each its own link, or else the patron link", async () => {
    const { html, text } = await podcastWith({ tiers, patronUrl: "https://patron.example.org/" });
    expect(text).toMatch(/Neighbour \$5 per month Your name in the notes Give \$5 a month as Neighbour/);
    expect(text).toMatch(/Regular \$15 per month The full recording/);
    expect(text).toMatch(/Patron \$50 per month A table at the dinner/);
    expect(hrefOf(html, "as Neighbour")).toBe("https://patron.example.org/");
    expect(hrefOf(html, "as Regular")).toBe("https://pay.example.org/regular");
    expect(hrefOf(html, "Become a patron")).toBe("https://patron.example.org/");
  });

  it("are not shown if a button has no address", async () => {
    const some = await podcastWith({ tiers });
    expect(some.text).toContain("Regular");
    expect(some.text).not.toContain("Neighbour");
    expect(some.text).not.toContain("Become a patron");
    const none = await podcastWith({ tiers: tiers.filter(({ url }) => !url) });
    expect(none.text).not.toContain("Support the show");
  });

  it("leave only the patron link if there are none", async () => {
    const { text } = await podcastWith({ patronUrl: "https://patron.example.org/" });
    expect(text).toContain("Become a patron");
  });

  it("go, with the patron link, when the feature is off", async () => {
    const features = { ...siteDefaults.features, patreon: false };
    const { html, text } = await podcastWith({ tiers, patronUrl: "https://patron.example.org/", features });
    expect(text).not.toContain("Support the show");
    expect(html).not.toContain("patron.example.org");
  });
});
